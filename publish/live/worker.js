/* Beside a live page: Pyodide, started once, and the messages between the page and inside.py. */
const SITE = '/lib/python3.14/site-packages/';
const post = (message, buffers = []) => self.postMessage(message, buffers);
let notebook;

self.onmessage = async ({data}) => {
  try {
    if (data.start) await start(data.start);
    else if (data.make) notebook.make(data.make);
    else if (data.answer) { notebook.answer(data.answer, JSON.stringify(data.events)); post({answered: data.answer}); }
    else if (data.run) { notebook.run(data.run, data.source, JSON.stringify(data.then), JSON.stringify(data.answers)); post({ran: data.run}); }
  } catch (error) {
    const words = String(error.message ?? error).trim().split('\n').at(-1);
    const over = error.pyodide_fatal_error === true;                      // a stack overflow, say: this Python is of no more use
    post({failed: data.start ? 'start' : data.make ?? data.answer ?? data.run, words, over});
  }
};

// ---- files: from the browser's own store where it has them, with a word to the page for every piece that comes

function gone() { throw new Error('the server has stopped answering.'); }

async function content(base, [name, size], tell, store) {
  const url = new URL(name, base).href, kept = await store?.match(url);
  const answer = kept ?? await fetch(url).catch(gone);
  if (!answer.ok) throw new Error(`${name} is not there (${answer.status}).`);
  const bytes = new Uint8Array(size), reader = answer.body.getReader();
  let here = 0;
  for (let piece; !(piece = await reader.read().catch(gone)).done; here += piece.value.length) {
    if (here + piece.value.length > size) throw new Error(`${name} is longer than it should be.`);
    bytes.set(piece.value, here);
    tell(piece.value.length);
  }
  if (here < size) throw new Error(`${name} ended too early.`);
  if (store && !kept) await store.put(url, new Response(bytes)).catch(() => {});   // a full store is no reason to stop
  return bytes;
}

const opened = bytes => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));

async function unpack(FS, bytes) {
  const all = await opened(bytes).arrayBuffer(), length = new DataView(all).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, length))), made = new Set();
  let place = 4 + length;
  for (const [name, size] of index) {
    const path = SITE + name, folder = path.slice(0, path.lastIndexOf('/'));
    if (!made.has(folder)) { FS.mkdirTree(folder); made.add(folder); }
    FS.writeFile(path, new Uint8Array(all, place, size), {canOwn: true});
    place += size;
  }
}

async function start({base, files, info, cells}) {
  const fetched = {}, wanted = ['pyodide.mjs', 'pyodide.asm.mjs', 'wasm', 'stdlib', 'python', 'kmlab', 'inside'];
  const store = await self.caches?.open('kmlab').catch(() => undefined);       // there is none outside https
  const total = wanted.reduce((sum, name) => sum + files[name][1], 0);
  let loaded = 0;
  const tell = more => { loaded += more; post({loaded, total}); };
  for (const name of wanted) fetched[name] = content(base, files[name], tell, store);
  const module = async name => import(URL.createObjectURL(new Blob([await fetched[name]], {type: 'text/javascript'})));
  const [{loadPyodide}, {default: createPyodideModule}] = await Promise.all([module('pyodide.mjs'), module('pyodide.asm.mjs')]);
  const answers = {'pyodide.asm.wasm': ['wasm', 'application/wasm'], 'python_stdlib.zip': ['stdlib', 'application/zip']};
  const plain = self.fetch;
  self.fetch = async (url, ...rest) => {
    const [name, type] = answers[String(url.url ?? url).split('/').at(-1)] ?? [];
    return name ? new Response(opened(await fetched[name]).body, {headers: {'Content-Type': type}}) : plain(url, ...rest);
  };
  const py = await loadPyodide({indexURL: base, createPyodideModule, lockFileContents: JSON.stringify({info, packages: {}})});
  self.fetch = plain;
  post({doing: 'Unpacking numpy, SciPy, matplotlib and kmlab'});
  await unpack(py.FS, await fetched.python);
  await unpack(py.FS, await fetched.kmlab);
  py.FS.writeFile(SITE + 'inside.py', await fetched.inside);
  const inside = py.pyimport('inside');
  inside.post = (text, buffers) => {
    const message = JSON.parse(text), parts = buffers.toJs ? buffers.toJs() : buffers;
    buffers.destroy?.();
    post({...message, buffers: parts}, parts.map(part => part.buffer));
  };
  inside.fetch_rest = () => {                      // an import cannot wait for a promise
    const request = new XMLHttpRequest();
    request.open('GET', new URL(files.rest[0], base).href, false);
    request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200) throw new Error('The other modules could not be fetched.');
    return new Uint8Array(request.response);
  };
  inside.start();
  notebook = inside.Notebook(py.toPy(cells));
  if (store) for (const {url} of await store.keys())     // of an earlier version of these pages
    if (url.startsWith(base) && !Object.values(files).some(([name]) => url.endsWith('/' + name))) store.delete(url);
  post({ready: true});
}
