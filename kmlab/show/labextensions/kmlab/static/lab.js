/* The course in JupyterLab and Notebook: a button above every notebook shows it as slides (deck.js), live pictures are
   looked after (views.js). Plain JavaScript in the form in which JupyterLab loads extensions: nothing has to be built. */
(() => {
  const here = document.currentScript.src;
  // `course.py slides` opens such an address; JupyterLab changes it soon after
  const wanted = decodeURIComponent(location.pathname).match(/\/lab\/workspaces\/slides-[^/]*\/tree\/(.*)/)?.[1];

  const load = (tag, name, more) => new Promise((resolve, reject) => {
    const place = {[tag === 'link' ? 'href' : 'src']: new URL(name, here), onload: resolve, onerror: reject};
    document.head.append(Object.assign(document.createElement(tag), place, more));
  });
  const scripts = async () => {                  // one after the other: each uses the one before
    for (const name of ['plan', 'deck', 'podium', 'live', 'views']) await load('script', `${name}.js`);
  };
  const loaded = Promise.all([scripts(), ...['deck', 'views'].map(name => load('link', `${name}.css`, {rel: 'stylesheet'}))]);

  async function present(app, panel) {
    await Promise.all([loaded, panel.context.ready, panel.revealed]);
    await kmlabLive.open(app, panel);
  }

  const plugin = {
    id: 'kmlab:plugin',
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
      loaded.then(() => kmlabViews.watchRunAll(app));
      let begun = false;
      app.docRegistry.addWidgetExtension('Notebook', {
        createNew: (panel, context) => {
          loaded.then(() => kmlabViews.attach(panel, context));
          if (begun || context.path !== wanted) return;
          begun = true;
          app.restored.then(() => present(app, panel));
        },
      });
    },
  };

  (window._JUPYTERLAB ??= {})['kmlab'] = {
    init: () => {},
    get: async () => () => ({default: plugin, __esModule: true}),
  };
})();
