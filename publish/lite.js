/* Above the lab in the browser: where work is stored, and the way to keep it. A first visit begins with the first
   notebook. Plain JavaScript in the form in which JupyterLab loads extensions: nothing has to be built. */
(() => {
  const FIRST = '00_start_here.ipynb';
  const STORED = 'Your work is stored in this browser, on this device only, and goes when its site data is cleared. '
    + 'To keep a notebook or to hand it in, download it.';
  const NARROW = 640;   // pixels: the list of files would leave no room for a notebook
  const wanted = new URLSearchParams(location.search).has('path');   // a notebook; JupyterLab changes the address soon
  let shared;

  async function banner(app) {
    const {Widget} = (await Object.values(shared['@lumino/widgets'])[0].get())();
    const node = document.createElement('div'), text = document.createElement('span');
    node.setAttribute('role', 'note');
    text.textContent = STORED;
    const widget = Object.assign(new Widget({node}), {id: 'kmlab-stored'});
    const button = (label, action) => {
      const made = document.createElement('button');
      made.textContent = label;
      made.className = 'jp-mod-styled';
      made.onclick = action;
      return made;
    };
    const download = async () => {
      const {context} = app.shell.currentWidget ?? {};
      if (context) await context.save();
      await app.commands.execute('docmanager:download');
    };
    node.append(text, button('Download this notebook', download), button('Close', () => widget.dispose()));
    const style = document.createElement('style');
    style.textContent = `
      #kmlab-stored { display: flex; flex-wrap: wrap; gap: 4px 12px; align-content: flex-start; align-items: center; padding: 4px 12px;
        background: var(--jp-layout-color2); color: var(--jp-ui-font-color1); font-size: var(--jp-ui-font-size1);
        overflow: hidden; box-sizing: border-box }
      #kmlab-stored span { flex: 1 1 20em; line-height: 1.4 }
      #kmlab-stored button { height: 26px; line-height: 26px; padding: 0 10px; cursor: pointer;
        background: var(--jp-layout-color3); color: inherit; border: 1px solid var(--jp-border-color1) }`;
    document.head.append(style);
    app.shell.add(widget, 'header');
    const fit = () => {   // as high as its lines on this screen
      const {bottom} = node.lastChild.getBoundingClientRect(), {top} = node.getBoundingClientRect();
      node.style.minHeight = node.style.maxHeight = `${Math.ceil(bottom - top) + 5}px`;
      widget.parent?.fit();
    };
    new ResizeObserver(() => widget.isDisposed || fit()).observe(document.body);
    fit();
  }

  const plugin = {
    id: 'kmlab-lite:plugin',
    autoStart: true,
    activate: app => {
      app.restored.then(async () => {
        const makeRoom = () => innerWidth < NARROW && app.shell.collapseLeft();
        for (const wait of [0, 500, 2000]) setTimeout(makeRoom, wait);   // on a first visit the list opens a moment later
        app.shell.currentChanged.connect(makeRoom);
        await banner(app);
        if (!wanted && ![...app.shell.widgets('main')].some(widget => widget.context))
          await app.commands.execute('docmanager:open', {path: FIRST});
      });
    },
  };

  (window._JUPYTERLAB ??= {})['kmlab-lite'] = {
    init: scope => { shared = scope; },
    get: async () => () => ({default: plugin, __esModule: true}),
  };
})();
