/* A living notebook as slides. The notebook itself is only read: what the slides show is made from its cells and their
   stored outputs, and what runs, runs in its kernel with outputs of the deck's own. So presenting changes no file, the
   first slide is there before Python is, and stored pictures stand until living ones can take their place. */
window.kmlabLive = (() => {
  const LIVE = 'application/vnd.jupyter.widget-view+json';
  const GONE = ['autorestarting', 'dead'];
  const ENDLESS = 30_000;           // a cell that has run for so long may never end
  const {make} = kmlabPlan;
  const joined = part => Array.isArray(part) ? part.join('') : part ?? '';
  const isDrawn = canvas => { try { return canvas.kmlab.size()[0] > 0; } catch { return false; } };     // it throws before the first picture
  // a formula's number stands beside it, as in publish/site.py: MathJax would keep as much room for it on the left
  const numbered = paragraph => {
    const [tex, before, tag, after] = paragraph.textContent.trim().match(/^\$\$([^$]*?)\\tag\{([^{}]*)\}([^$]*)\$\$$/) ?? [];
    if (!tex) return;
    paragraph.classList.add('equation');
    paragraph.dataset.tex = tex;
    paragraph.replaceChildren(make('span', '', `$$${before}${after}$$`), make('span', 'tag', `(${tag})`));
  };
  const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

  class Live {
    constructor(what) {
      Object.assign(this, {cells: []}, what);         // path, content, rendermime, isDark
      this.inside = make('div', 'kd-cells');
      this.root = make('div', 'kd-live', this.inside);
    }

    /* ---- cells, as publish/slides.py writes them */

    async render(mime, data, metadata = {}) {
      const renderer = this.rendermime.createRenderer(mime);
      await renderer.renderModel({data: {[mime]: data}, metadata, trusted: true, setData() {}});
      return renderer.node;
    }

    async cell({cell_type: kind, source: lines, metadata, outputs, attachments: attached = {}}) {
      const {slide_type: type = '-', headline, whole} = metadata?.slideshow ?? {}, source = joined(lines);
      const node = make('div', 'jp-Cell'), cell = {node, type, headline, whole, source, isCode: kind === 'code', outputs};
      this.inside.append(node);
      if (cell.isCode) {
        node.append(make('div', 'jp-Cell-inputWrapper code', make('pre', '', source)));
        await this.fill(cell, outputs);
      } else if (kind === 'markdown') {
        const inside = (whole, name) => {
          const [[mime, data] = []] = Object.entries(attached[decodeURIComponent(name)] ?? {});
          return mime ? `data:${mime};base64,${joined(data)}` : whole;
        };
        const rendered = await this.render('text/markdown', source.replace(/attachment:([^)\s"']+)/g, inside));
        rendered.classList.add('jp-MarkdownOutput');
        rendered.querySelectorAll('p').forEach(numbered);
        node.append(rendered);
      }
      return cell;
    }

    async fill(cell, outputs) {
      cell.node.querySelectorAll('.jp-OutputArea-child').forEach(old => old.remove());
      cell.isFull = outputs.length > 0;
      let last = null;
      for (const output of outputs) {
        if (output.output_type === 'stream' && last?.dataset.stream === output.name) {
          last.querySelector('pre').append(joined(output.text));
          continue;
        }
        const child = last = make('div', 'jp-OutputArea-child'), data = output.data ?? {};
        cell.node.append(child);
        if (output.output_type === 'stream' || output.output_type === 'error') {
          child.dataset.stream = output.name ?? '';
          child.append(make('div', 'jp-RenderedText', make('pre', '', joined(output.text ?? `${output.ename}: ${output.evalue}`))));
        } else if (data['image/png']) {
          const {width = '', height = '', alt = ''} = output.metadata?.['image/png'] ?? {}, image = make('img', '');
          Object.entries({width, height, alt}).forEach(([name, value]) => image.setAttribute(name, value));
          image.src = 'data:image/png;base64,' + joined(data['image/png']).trim();
          child.append(make('div', 'jp-RenderedImage', image, ...(alt ? [make('p', 'kd-caption', alt)] : [])));
          child.dataset.kind = 'figure';
          if (data[LIVE] || joined(data['text/html']).includes('kmlab-note')) child.dataset.view = '';
        } else if (data[LIVE]) {
          child.append(make('div', 'jupyter-widgets', 'waiting for Python ...'));
          child.dataset.kind = 'figure';
        } else if (data['text/markdown'] && !data['text/html']) {
          child.append(await this.render('text/markdown', joined(data['text/markdown'])));
        } else {
          const mime = this.kind(data);
          if (mime === 'text/plain') child.append(make('div', 'jp-RenderedText', make('pre', '', joined(data['text/plain']))));
          else {
            child.append(await this.render(mime, mime.endsWith('json') ? data[mime] : joined(data[mime]), output.metadata));
            child.dataset.kind = 'figure';
          }
        }
      }
    }

    kind(data) { return this.rendermime.preferredMimeType(data, 'ensure') ?? 'text/plain'; }

    /* does the file lack something of its reader's? A kernel that starts writes its version of Python into the notebook,
       which then counts as changed though nobody touched a cell */
    async isTouched() {
      const {context} = this.panel, what = ({cells}) => JSON.stringify(cells.map(cell => [cell.cell_type, joined(cell.source), cell.execution_count ?? 0]));
      if (!context.model.dirty) return false;
      const {content} = await this.app.serviceManager.contents.get(context.path, {type: 'notebook', content: true});
      return what(content) !== what(context.model.toJSON());
    }

    async open() {
      document.body.append(this.root);
      for (const cell of this.content.cells) this.cells.push(await this.cell(cell));
      this.deck = kmlabDeck.open({
        root: this.root, isLive: true, name: this.path,
        cells: () => this.cells,
        ready: (...slides) => this.typeset(slides.flatMap(slide => slide?.cells ?? [])),
        alive: (cell, number) => this.host(cell, number),
        still: (cell, number, copy) => this.still(cell, copy),
        restart: () => this.panel && this.restart(),
        onClose: () => this.close(),
      });
      this.deck.theme(this.isDark);
      this.deck.status.textContent = 'Python starts ...';
      this.settled = (async () => { for (const cell of this.cells) { await this.typeset([cell]); await pause(0); } })();
      return this;
    }

    /* its notebook is open in JupyterLab: from here on cells can run */
    async attach(app, panel) {
      if (this.isClosed) return;
      const {context} = panel, before = this.rendermime, isDark = document.body.dataset.jpThemeLight === 'false';
      Object.assign(this, {app, panel, notebook: panel.content, rendermime: panel.content.rendermime});
      context.save = async () => {};                  // nothing is written while one presents
      this.wasTouched = await this.isTouched();
      if (isDark && !this.isDark) this.deck.theme(true);
      this.deck.panelOfLab = panel;
      const other = this.rendermime.mimeTypes.filter(mime => !before.mimeTypes.includes(mime));         // what an extension can show
      const others = this.cells.filter(({outputs}) => outputs?.some(({data = {}}) => other.some(mime => mime in data)));
      for (const cell of others) await this.fill(cell, cell.outputs);
      if (others.length) this.deck.plan();
      this.watch();
      await Promise.all([this.run(), this.settled]);
    }

    close() {
      this.isClosed = true;
      if (!this.panel) return;
      const {panel: {context, content}} = this;
      delete context.save;
      if (!this.wasTouched) { context.model.dirty = false; pause(300).then(() => { context.model.dirty = false; }); }    // and what was on its way
      this.quiet?.();
      for (const cell of this.cells) this.dispose(cell);
      content.node.focus();
    }

    /* colours of code and formulas, in the order in which they are needed */
    async typeset(cells) {
      for (const cell of cells) await (cell.isSet ??= this.set(cell));
    }

    async set({node, source, isCode}) {
      if (isCode) node.firstChild.replaceChildren(...(await this.render('text/markdown', '```python\n' + source + '\n```')).childNodes);
      if (/\$/.test(node.textContent)) await this.rendermime.latexTypesetter?.typeset(node);
    }

    /* ---- Python */

    async run() {
      const turn = this.running = Symbol(), {sessionContext} = this.panel, {deck} = this;
      const isLate = () => turn !== this.running || this.isClosed;
      deck.status.textContent = 'Python starts ...';
      await sessionContext.ready;
      await sessionContext.session?.kernel?.info;
      const kernel = sessionContext.session?.kernel, codes = this.cells.filter(cell => cell.isCode && cell.source.trim());
      if (!kernel) { deck.status.textContent = 'no Python: pictures stand still'; return; }
      let isNew = false;
      for (const [i, cell] of codes.entries()) {
        if (isLate()) return;
        if (cell.isEndless) continue;
        deck.status.textContent = `running ${i + 1} of ${codes.length}`;
        this.runs = {cell, since: Date.now()};
        const long = setTimeout(() => { if (!isLate()) deck.status.textContent = `cell ${i + 1} of ${codes.length} still runs: R goes on without it`; }, ENDLESS);
        await this.execute(kernel, cell);
        clearTimeout(long);
        if (isLate()) return;
        this.runs = null;
        if (!cell.isFull && cell.area.model.length) {       // nothing was stored: what came is what is shown
          await this.fill(cell, cell.area.model.toJSON());
          isNew = isNew || cell.type !== 'skip';
        }
      }
      deck.status.textContent = this.failed ?? '';
      if (isNew) deck.plan();
    }

    parts() {
      const cells = this.notebook.widgets, found = () => cells.find(cell => cell.outputArea)?.outputArea;
      if (!found()) this.notebook.notebookConfig = {...this.notebook.notebookConfig, windowingMode: 'none'};
      return this.sample ??= found();
    }

    async execute(kernel, cell) {
      const sample = this.parts(), {contentFactory} = sample;
      this.dispose(cell);
      cell.area = new sample.constructor({model: new sample.model.constructor({trusted: true}), rendermime: this.rendermime, contentFactory});
      cell.host = make('div', 'kd-host kd-off');
      this.deck.stage.append(cell.host);
      cell.area.constructor.attach(cell.area, cell.host);
      const future = kernel.requestExecute({code: cell.source, store_history: false, stop_on_error: false});
      cell.area.future = future;
      try {
        const reply = await future.done;
        if (reply.content.status === 'error') this.failed = `${reply.content.ename} in a cell`;
      } catch { return; }                               // the kernel has gone; watch() says so
      this.awake(cell);
    }

    /* a living picture takes the stored one's place as soon as it is drawn */
    async awake(cell) {
      const {area} = cell;
      for (let i = 0; i < 400 && area === cell.area && !this.isClosed; i++, await pause(50)) {
        const view = area.node.querySelector('.kmlab-view');
        if (!area.node.querySelector('.jupyter-widgets') && i < 20 && cell.area.model.length && cell.area.model.toJSON().some(output => output.data?.[LIVE])) continue;
        if (view && !isDrawn(view.querySelector('canvas'))) continue;
        cell.isAwake = true;
        if (this.deck.slide?.figure?.cell === cell) this.deck.build();
        return;
      }
    }

    host(cell, number) {
      const children = [...cell.area?.node.querySelectorAll(':scope > .jp-OutputArea-child') ?? []];
      if (!cell.isAwake || !children.length) return null;
      const isView = child => child?.querySelector('.jupyter-widgets, .kmlab-view, img, canvas, svg, iframe, table');
      const shown = isView(children[number]) ? children[number] : children.find(isView);
      if (!shown?.querySelector('.jupyter-widgets')) return null;       // what stands still is shown as it was stored
      children.forEach(child => child.classList.toggle('kd-this', child === shown));
      return cell.host;
    }

    /* the last picture of a view whose kernel has gone */
    still(cell, copy) {
      const image = copy.querySelector('img');
      if (cell.last && image) { image.src = cell.last.src; const caption = copy.querySelector('.kd-caption'); if (caption) caption.textContent = cell.last.words; }
      return copy;
    }

    dispose(cell) {
      cell.area?.dispose();
      cell.host?.remove();
      cell.area = cell.host = null;
      cell.isAwake = false;
    }

    /* ---- a kernel that dies says so on the slide, not in a dialog behind it */

    watch() {
      const {sessionContext} = this.panel;
      const changed = (_, status) => { if (GONE.includes(status) && !this.isStarting) this.died(); };
      sessionContext.statusChanged.connect(changed);
      const dialogs = new MutationObserver(() => {
        for (const dialog of document.querySelectorAll('.jp-Dialog')) if (/kernel/i.test(dialog.textContent)) dialog.querySelector('.jp-Dialog-footer button:last-of-type, button.jp-mod-accept')?.click();
      });
      dialogs.observe(document.body, {childList: true});
      this.quiet = () => { sessionContext.statusChanged.disconnect(changed); dialogs.disconnect(); };
    }

    died() {
      this.running = null;
      this.isDead = true;
      for (const cell of this.cells) {
        const canvas = cell.isAwake && cell.host?.querySelector('.kmlab-view canvas');
        if (canvas?.kmlab) cell.last = {src: canvas.kmlab.picture(), words: cell.host.querySelector('figcaption')?.textContent ?? ''};
        this.dispose(cell);
      }
      this.deck.status.textContent = '';
      this.deck.say('Python has stopped, and the pictures stand still. Press R to start it again.');
      this.deck.build();
    }

    /* what is asked of a kernel while it starts may be lost, so it is asked again */
    async answers(kernel) {
      for (let i = 0; i < 12; i++) {
        const said = await Promise.race([kernel.requestKernelInfo().then(() => true, () => pause(500)), pause(5000)]);
        if (said === true) return;
      }
      throw new Error('it does not answer');
    }

    async restart() {
      const {sessionContext} = this.panel;
      if (this.isStarting) return;
      this.isStarting = true;
      this.running = null;
      if (!this.isDead && this.runs && Date.now() - this.runs.since > ENDLESS) this.runs.cell.isEndless = true;
      this.runs = null;
      this.deck.say('Python starts again ...');
      try {
        for (const cell of this.cells) this.dispose(cell);
        this.deck.build();
        const kernel = () => sessionContext.session?.kernel;
        // the server starts a kernel that died by itself: asked for another one meanwhile, it would lose both
        if (this.isDead) for (let i = 0; i < 150 && ['autorestarting', 'restarting', 'unknown', 'starting'].includes(kernel()?.status); i++) await pause(100);
        if (!kernel()) await sessionContext.startKernel?.();
        else if (!this.isDead || kernel().status !== 'idle') await kernel().restart();
        await this.answers(kernel());
      } catch (error) {
        this.isStarting = false;
        return this.deck.say(`Python could not be started: ${error.message}. Press R to try again.`);
      }
      this.isStarting = this.isDead = false;
      this.failed = this.cells.some(cell => cell.isEndless) ? 'a cell that did not end is left out' : undefined;
      this.deck.say('');
      await this.run();
    }
  }

  return {open: what => new Live(what).open()};
})();
