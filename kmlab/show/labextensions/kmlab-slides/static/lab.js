/* The JupyterLab side of the slides: a button above every notebook. Plain JavaScript in the form in which JupyterLab
   loads extensions, so that nothing has to be built; deck.js does the showing. */
(() => {
  const here = document.currentScript.src;
  // `course.py slides` opens such an address; JupyterLab changes it soon after
  const wanted = decodeURIComponent(location.pathname).match(/\/lab\/workspaces\/slides-[^/]*\/tree\/(.*)/)?.[1];

  const loaded = Promise.all([
    new Promise((resolve, reject) => document.head.append(
      Object.assign(document.createElement('script'), {src: new URL('deck.js', here), onload: resolve, onerror: reject}))),
    new Promise((resolve, reject) => document.head.append(
      Object.assign(document.createElement('link'),
        {rel: 'stylesheet', href: new URL('deck.css', here), onload: resolve, onerror: reject}))),
  ]);

  async function present(app, panel) {
    await Promise.all([loaded, panel.context.ready, panel.revealed]);
    const notebook = panel.content, config = notebook.notebookConfig, selected = notebook.activeCellIndex;
    if (config.windowingMode === 'full') notebook.notebookConfig = {...config, windowingMode: 'none'};   // else cells are missing
    kmlabDeck.open({
      root: panel.node,
      page: panel.node.querySelector('.jp-WindowedPanel-outer'),
      cells: () => notebook.widgets.map(cell => ({
        node: cell.node, type: cell.model.getMetadata('slideshow')?.slide_type ?? '-',
      })),
      onClose: () => {
        notebook.notebookConfig = config;
        notebook.activeCellIndex = selected;
        panel.update();
      },
    });
    await panel.sessionContext.ready;
    if (!panel.node.querySelector('.jupyter-widgets')) await app.commands.execute('notebook:run-all-cells');
  }

  const plugin = {
    id: 'kmlab-slides:plugin',
    autoStart: true,
    activate: app => {
      const current = () => {
        const panel = app.shell.currentWidget;
        return panel?.content?.model && panel.sessionContext && panel.content.widgets ? panel : null;
      };
      app.commands.addCommand('kmlab:slides', {
        label: 'Slides', caption: 'Show this notebook as slides (Alt R)',
        isEnabled: () => current() !== null,
        execute: () => present(app, current()),
      });
      let begun = false;
      app.docRegistry.addWidgetExtension('Notebook', {
        createNew: (panel, context) => {
          if (begun || context.path !== wanted) return;
          begun = true;
          app.restored.then(() => present(app, panel));
        },
      });
    },
  };

  (window._JUPYTERLAB ??= {})['kmlab-slides'] = {
    init: () => {},
    get: async () => () => ({default: plugin, __esModule: true}),
  };
})();
