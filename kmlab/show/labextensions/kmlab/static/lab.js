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
  const loaded = Promise.all([
    ...['plan', 'deck', 'podium', 'live', 'views'].map(name => load('script', `${name}.js`, {async: false})),   // run in this order
    ...['deck', 'views'].map(name => load('link', `${name}.css`, {rel: 'stylesheet'})),
  ]);

  /* The wanted notebook as slides with JupyterLab's own modules, before JupyterLab has put itself together: that takes
     longer than all that the first slide needs. -> the deck, waiting for its panel, or null, and then the panel opens it. */
  async function beforehand(scope) {
    const module = async name => (await Object.values(scope['@jupyterlab/' + name])[0].get())();
    const [{ContentsManager, SettingManager}, {RenderMimeRegistry: Registry, standardRendererFactories}, {createMarkdownParser}, {MathJaxTypesetter},
      {EditorLanguageRegistry: Languages}] = await Promise.all(['services', 'rendermime', 'markedparser-extension', 'mathjax-extension', 'codemirror'].map(module));
    const contents = new ContentsManager(), languages = new Languages(), path = wanted;
    const [{content}, theme] = await Promise.all([contents.get(path, {type: 'notebook', content: true}),
      new SettingManager().fetch('@jupyterlab/apputils-extension:themes').catch(() => null), loaded]);
    Languages.getDefaultLanguages().forEach(language => languages.addLanguage(language));
    const rendermime = new Registry({initialFactories: standardRendererFactories, markdownParser: createMarkdownParser(languages),
      latexTypesetter: new MathJaxTypesetter(), resolver: new Registry.UrlResolver({path, contents})});
    return kmlabLive.open({path, content, rendermime, isDark: /"theme"\s*:\s*"[^"]*dark/i.test(theme?.raw)});
  }
  let early = null;

  async function present(app, panel, begun = null) {
    const {context} = panel;
    await Promise.all([loaded, context.ready, panel.revealed]);
    const {rendermime} = panel.content, isDark = document.body.dataset.jpThemeLight === 'false';
    const live = begun ?? await kmlabLive.open({path: context.path, content: context.model.toJSON(), rendermime, isDark});
    await live.attach(app, panel);
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
          app.restored.then(async () => present(app, panel, await early));
        },
      });
    },
  };

  (window._JUPYTERLAB ??= {})['kmlab'] = {
    init: scope => {
      early ??= wanted && beforehand(scope).catch(error => { console.warn('slides wait for JupyterLab:', error); return null; });
    },
    get: async () => () => ({default: plugin, __esModule: true}),
  };
})();
