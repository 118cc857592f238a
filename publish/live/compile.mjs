// Which files the notebooks need of Python and its packages, and the same compiled, by the Python that will read them.
// node compile.mjs PYODIDE SITE_PACKAGES STDLIB NOTEBOOKS.json REPORT.json: Python itself leaves a
// __pycache__ beside what it imports; of its own library, which is an archive, .pyc come beside .py.
import {readFileSync, writeFileSync} from 'node:fs';
const [pyodide, packages, stdlib, notebooks, report] = process.argv.slice(2);
const {loadPyodide} = await import(pyodide + '/pyodide.mjs');
const py = await loadPyodide({indexURL: pyodide + '/', lockFileContents: '{"info": {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.0", "version": "0"}, "packages": {}}'});
for (const [root, place] of [[packages, '/lib/python3.14/site-packages'], [stdlib, '/stdlib']]) {
  py.FS.mkdirTree(place);
  py.FS.mount(py.FS.filesystems.NODEFS, {root}, place);
}
py.globals.set('NOTEBOOKS', readFileSync(notebooks, 'utf8'));
py.setStdout({batched: line => console.log(line)});
const program = `
import importlib, json, pathlib, pkgutil, py_compile, sys, warnings
warnings.simplefilter("ignore")
sys.dont_write_bytecode = False
import inside

class Asked:  # for what, whether it was found or not
    names = set()
    def find_spec(self, name, path=None, target=None):
        self.names.add(name)

sys.meta_path.insert(0, Asked())
inside.install()
LIBRARY = "/lib/python314.zip/"
site, stdlib = pathlib.Path("/lib/python3.14/site-packages"), pathlib.Path("/stdlib")
for cells, views in json.loads(NOTEBOOKS):
    notebook = inside.Notebook(cells)
    for cell in views:
        notebook.make(cell)
    print("compiling what notebooks use", flush=True)
import kmlab, matplotlib.pyplot  # which readers' own code asks for
for module in pkgutil.walk_packages(kmlab.__path__, "kmlab."):
    if not module.name.startswith("kmlab.server"):
        importlib.import_module(module.name)
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())} - {None}
used = sorted(name.removeprefix(f"{site}/") for name in files if name.startswith(str(site)))
for name in [name.removeprefix(LIBRARY) for name in files if name.startswith(LIBRARY)]:
    py_compile.compile(str(stdlib / name), str(stdlib / name) + "c", dfile=LIBRARY + name, doraise=True)
json.dumps({"files": used, "missing": sorted(Asked.names - set(sys.modules))})
`;
try { writeFileSync(report, py.runPython(program)); }
catch (error) { console.error(error.message); process.exit(1); }     // without the source of Pyodide, a megabyte
