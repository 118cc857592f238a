/* What live pictures need of JupyterLab and Notebook: a saved notebook holds the pictures that were on screen, and a
   view says when it waits for running cells and when its kernel is gone. */
window.kmlabViews = (() => {
  const LIVE = 'application/vnd.jupyter.widget-view+json';
  const GONE = ['restarting', 'autorestarting', 'terminating', 'dead'];
  const DEAD = 'Run this cell to bring it back to life.', WAITING = 'waiting for running cells ...';
  const SHORT = 150, HUSHED = 500;               // milliseconds: an answer that is not waited for; since the hand moved
  const RUN_ALL = /^(notebook|runmenu):(restart-)?(and-)?run-all(-cells)?(-above|-below)?$/;
  const text = part => Array.isArray(part) ? part.join('') : part ?? '';
  const isRunning = panel => panel.content.widgets.some(cell => cell.model.executionState === 'running');

  // ---- what is saved is what is seen

  function still(output, figure) {
    const data = {...output.data}, stored = new DOMParser().parseFromString(text(data['text/html']), 'text/html').body;
    const {[LIVE]: _, ...rest} = data;
    const live = figure?.querySelector('canvas'), img = stored.querySelector('.kmlab-picture img');
    const words = figure?.querySelector('figcaption').textContent;
    if (!live?.kmlab || !live.kmlab.touched()) return {...output, data: rest};
    const src = live.kmlab.picture(), [width, height] = live.kmlab.size();
    for (const [name, value] of Object.entries({alt: words, width, height, src})) img.setAttribute(name, value);
    stored.querySelector('figcaption').textContent = words;
    const about = output.metadata?.['image/png'];
    return {
      ...output,
      data: {...rest, 'text/html': stored.innerHTML, 'image/png': src.split(',')[1], 'text/plain': words},
      metadata: {...output.metadata, 'image/png': {width, height, alt: words, cuts: width === about?.width ? about.cuts : []}},
    };
  }

  function stillNotebook(panel, notebook) {
    notebook.cells.forEach((cell, i) => {
      if (cell.cell_type !== 'code' || !cell.outputs) return;
      const shown = panel.content.widgets[i]?.outputArea?.widgets ?? [];
      cell.outputs = cell.outputs.map((output, k) =>
        output.data?.[LIVE] && text(output.data['text/html']).includes('kmlab-picture')
          ? still(output, shown[k]?.node.querySelector('.kmlab-view figure')) : output);
    });
    return notebook;
  }

  // ---- the kernel

  function note(view, words, kind) {
    view.querySelector('.kmlab-note')?.remove();
    if (words) view.append(Object.assign(document.createElement('p'), {className: `kmlab-note ${kind}`, role: 'status', textContent: words}));
  }

  function markDead(panel) {
    for (const view of panel.node.querySelectorAll('.kmlab-view:not(.kmlab-dead)')) {
      view.classList.add('kmlab-dead');
      note(view, DEAD, '');
    }
  }

  function sayWaiting(panel, event) {
    const view = event.target.closest?.('.kmlab-view:not(.kmlab-dead)');
    if (!view || event.target.closest('figcaption') || !isRunning(panel) || view.querySelector('.kmlab-waiting')) return;
    note(view, WAITING, 'kmlab-waiting');
    const look = setInterval(() => {
      if (view.isConnected && isRunning(panel)) return;
      clearInterval(look);
      if (view.querySelector('.kmlab-waiting')) note(view, '');
    }, 100);
  }

  // A kernel that answers the hand at once is not shown as busy: twice for each picture the tool bar would be laid out
  // anew, and the status bar and the icon of the tab painted. Who listens hears of it when it takes longer, and at last.
  function hush(panel) {
    const signal = panel.sessionContext.statusChanged, emit = signal.emit?.bind(signal);
    let inHand = false, touched = -Infinity, busy = null, last = null;
    const touch = event => {
      if (!event.target.closest?.('.kmlab-view')) return;
      [inHand, touched] = [event.type === 'pointerdown', performance.now()];
    };
    const letGo = () => { if (inHand) [inHand, touched] = [false, performance.now()]; };
    for (const kind of ['pointerdown', 'keydown']) panel.node.addEventListener(kind, touch, true);
    for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, letGo, true);
    panel.disposed.connect(() => { for (const kind of ['pointerup', 'pointercancel']) removeEventListener(kind, letGo, true); });
    if (emit) signal.emit = status => {
      const unheard = busy !== null;
      clearTimeout(busy); clearTimeout(last);
      busy = null;
      if (status === 'busy' && (inHand || performance.now() - touched < HUSHED)) busy = setTimeout(() => { busy = null; emit(status); }, SHORT);
      else if (status === 'idle' && unheard) last = setTimeout(emit, HUSHED, status);
      else emit(status);
    };
  }

  // ---- Run All leaves the reader where they were

  function keepPlace(panel) {
    const notebook = panel.content, active = notebook.activeCellIndex, page = panel.node.querySelector('.jp-WindowedPanel-outer');
    const top = () => page.getBoundingClientRect().top;
    const first = notebook.widgets.find(cell => cell.node.isConnected && cell.node.getBoundingClientRect().bottom > top());
    const before = first && first.node.getBoundingClientRect().top - top();
    return () => {
      notebook.activeCellIndex = active;
      notebook.deselectAll();
      if (first?.node.isConnected) page.scrollTop += first.node.getBoundingClientRect().top - top() - before;
    };
  }

  function watchRunAll(app) {
    const execute = app.commands.execute;
    app.commands.execute = function (id, args) {
      const panel = app.shell.currentWidget;
      if (!RUN_ALL.test(id) || !panel?.content?.widgets || !panel.sessionContext) return execute.call(this, id, args);
      const restore = keepPlace(panel), page = panel.node;
      let moved = false;   // by the reader, who then stays where they went
      const move = () => { moved = true; };
      for (const kind of ['wheel', 'pointerdown', 'keydown', 'touchmove']) page.addEventListener(kind, move, {once: true});
      const back = () => moved || restore();
      const done = execute.call(this, id, args);
      requestAnimationFrame(back);
      done.finally(() => { back(); requestAnimationFrame(back); }).catch(() => {});
      return done;
    };
  }

  // ---- what says how to get kmlab is out of sight where kmlab is, and out of the keyboard's way

  const isUnseen = cell => cell.model.id === 'get-kmlab';

  function hideFirstCell(notebook) {
    for (const cell of notebook.widgets) cell.node.classList.toggle('kmlab-unseen', isUnseen(cell));
    let before = notebook.activeCellIndex;
    notebook.activeCellChanged.connect(() => {
      const now = notebook.activeCellIndex, step = now < before ? -1 : 1, cell = notebook.activeCell;
      before = now;
      if (cell && isUnseen(cell) && notebook.widgets[now + step]) notebook.activeCellIndex = now + step;
    });
  }

  function attach(panel, context) {
    const plain = context.model.toJSON.bind(context.model);
    context.model.toJSON = () => stillNotebook(panel, plain());
    panel.sessionContext.statusChanged.connect((_, status) => GONE.includes(status) && markDead(panel));
    panel.sessionContext.kernelChanged.connect((_, {oldValue}) => oldValue && markDead(panel));
    context.ready.then(() => {
      const notebook = panel.content;
      hideFirstCell(notebook);
      // one Shift+Enter is enough where the first thing after the title is a picture
      const next = notebook.widgets.findIndex((cell, i) => i > 0 && !isUnseen(cell));
      if (notebook.activeCellIndex === 0 && notebook.widgets[next]?.model.getMetadata('jupyter')?.source_hidden)
        notebook.activeCellIndex = next;
    });
    hush(panel);
    for (const kind of ['pointerdown', 'keydown', 'change'])
      panel.node.addEventListener(kind, event => sayWaiting(panel, event), true);
  }

  return {attach, watchRunAll};
})();
