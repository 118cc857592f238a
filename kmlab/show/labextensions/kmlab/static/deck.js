/* Cells of a notebook as slides: the same code for a living notebook in JupyterLab and for pages that are handed out.

   kmlabDeck.open({root, page, cells, onClose}): root fills the screen, page inside it holds the cells, cells() lists
   them in order as {node, type} with the slide types of Jupyter. Cells stay where they are in the page; a slide is a
   choice of what is shown. Sizes are those of a screen of 1280 x 720 and grow with the screen.

   A slide begins where a cell says so or a heading stands, and goes on as far as there is room: what does not fit
   begins the next one under the same heading. Text never shrinks below what the tenth row can read. */
(() => {
  const WIDTH = 1280, HEIGHT = 720;
  const LARGEST_PICTURE = 1.25, SMALLEST_PICTURE = 0.97;      // of the size it has in the notebook
  const SMALLEST_TEXT = 24 / 28, SMALLEST_CODE = 18 / 20, LARGER_TEXT = 34 / 28;    // of the size in deck.css
  const HELP = [
    ['→ ↓ space PageDown', 'next'], ['← ↑ PageUp', 'back'], ['Home, End', 'first, last'], ['O', 'list of slides'],
    ['C', 'fold or unfold code'], ['S', 'speaker notes'], ['B', 'black screen'], ['F', 'full screen'], ['?', 'this help'],
    ['Esc', 'leave'],
  ];

  const make = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    element.className = name;
    element.append(...inside);
    return element;
  };

  class Deck {
    constructor({root, page, cells, onClose}) {
      Object.assign(this, {root, page, cells, onClose, at: 0, step: 0, screens: [], showsCode: false});
      this.begin = Date.now();
      this.title = make('header', 'kd-title');
      this.where = make('span', 'kd-where');
      this.source = make('span', 'kd-source');
      this.buttons = [['Code', 'c'], ['Notes', 's'], ['List', 'o'], ['Back', 'ArrowLeft'], ['Next', 'ArrowRight']].map(
        ([text, key]) => {
          const button = make('button', 'kd-button', text);
          button.onclick = () => { this.press(key); button.blur(); };
          return button;
        });
      this.number = make('span', 'kd-number');
      this.bar = make('div', 'kd-bar');
      this.footer = make('footer', 'kd-footer', this.bar, this.where, this.source, ...this.buttons, this.number);
      this.panel = make('div', 'kd-panel');
      this.panel.hidden = true;
      root.append(this.title, this.footer, this.panel);
      root.classList.add('kd-root');
      page.classList.add('kd-page');
      document.documentElement.classList.add('kd-open');
      this.rise();
      this.onKey = event => this.key(event);
      window.addEventListener('keydown', this.onKey, true);     // before JupyterLab, where a letter may delete a cell
      this.later = () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.layout(), 120); };
      window.addEventListener('resize', this.later);
      document.fonts.addEventListener('loadingdone', this.later);       // formulas have another height in their own font
      window.addEventListener('beforeprint', this.onPrint = () => this.print());
      window.addEventListener('afterprint', this.onPrinted = () => this.printed());
      page.addEventListener('load', this.onLoad = event => {
        if (!event.target.closest('.kmlab-view')) this.later();
      }, true);
      this.changes = new MutationObserver(found => {
        if (found.some(change => !change.target.parentElement?.closest('.kmlab-view, .cm-editor'))) this.later();
      });
      this.changes.observe(page, {childList: true, subtree: true});
      this.sizes = new ResizeObserver(() => this.later());
      this.layout();
    }

    /* into the browser's top layer: nothing of JupyterLab can lie above it or clip it */
    rise() {
      this.root.popover = 'manual';
      this.root.showPopover?.();
    }

    close() {
      window.removeEventListener('keydown', this.onKey, true);
      window.removeEventListener('resize', this.later);
      document.fonts.removeEventListener('loadingdone', this.later);
      window.removeEventListener('beforeprint', this.onPrint);
      window.removeEventListener('afterprint', this.onPrinted);
      this.page.removeEventListener('load', this.onLoad, true);
      clearTimeout(this.timer);
      this.changes.disconnect();
      this.sizes.disconnect();
      this.notes?.close();
      this.clear();
      for (const element of [this.title, this.footer, this.panel]) element.remove();
      this.root.hidePopover?.();
      this.root.removeAttribute('popover');
      this.root.classList.remove('kd-root', 'kd-black', 'kd-sparse', 'kd-first');
      this.page.classList.remove('kd-page');
      document.documentElement.classList.remove('kd-open');
      kmlabDeck.current = null;
      this.onClose?.();
    }

    clear() {
      const names = ['kd-off', 'kd-later', 'kd-code', 'kd-last', 'kd-long'];
      for (const name of names) this.page.querySelectorAll('.' + name).forEach(node => node.classList.remove(...names));
      for (const {node} of this.cells()) node.classList.remove(...names);
      for (const block of this.blocks ?? []) {
        block.node.style.removeProperty('zoom');
        block.node.style.removeProperty('max-height');
        block.node.style.removeProperty('--kd-width');
      }
    }

    /* ---- from cells to blocks, the smallest things that a slide can hold */

    collect() {
      this.blocks = [];
      this.hidden = [];
      let section = null, breaks = false, start = null;
      const add = (node, cell, path, more = {}) => {
        this.blocks.push({node, cell, path: [cell.node, ...path, node], section, breaks, notes: [], ...more});
        breaks = false;
      };
      const remark = (node, cell) => {
        this.hidden.push(node);
        if (this.blocks.length) this.blocks.at(-1).notes.push(node);
      };
      const prose = (rendered, cell, path, isCell) => {
        for (const child of rendered.children) {
          if (isCell && /^H[1-6]$/.test(child.tagName)) {
            section = {level: +child.tagName[1], node: child, text: this.words(child)};
            breaks = true;
            this.hidden.push(child);
          } else if (child.tagName === 'DETAILS') {
            remark(child, cell);
          } else if (child.tagName === 'OL' || child.tagName === 'UL') {
            const items = [...child.children];
            if (child.tagName === 'OL') items.forEach((item, i) => { item.value = child.start + i; });
            items.forEach((item, i) => add(item, cell, [...path, child], {kind: 'item', glued: i + 1 < items.length}));
          } else if (!['STYLE', 'SCRIPT', 'HR'].includes(child.tagName) && (child.textContent.trim() || child.querySelector('img, svg'))) {
            const kind = child.tagName === 'PRE' || child.querySelector(':scope > pre') ? 'lines'
              : child.querySelector('img') && !child.textContent.trim() ? 'picture'
              : child.tagName === 'TABLE' || child.querySelector(':scope > table') ? 'table' : 'text';
            add(child, cell, path, {kind, glued: kind === 'text' && (!isCell || /:\s*$/.test(child.textContent))});
          }
        }
      };
      for (const cell of this.cells()) {
        const {node, type} = cell;
        if (type === 'skip') { this.hidden.push(node); continue; }
        if (type === 'slide' || type === 'subslide') breaks = true;
        start = this.blocks.length;
        const rendered = node.querySelector('.jp-MarkdownOutput');
        const input = node.querySelector('.jp-Cell-inputWrapper');
        if (type === 'notes') {
          remark(node, cell);
        } else if (rendered) {
          prose(rendered, cell, [], true);
        } else if (input) {
          const outputs = [...node.querySelectorAll('.jp-OutputArea-child')]
            .filter(output => !output.parentElement.closest('.jp-OutputArea-child'));    // what interact shows is inside
          const speaks = outputs.some(output => output.querySelector('img, .jupyter-widgets, .jp-RenderedMarkdown')
            || output.textContent.includes('✔'));
          const isCodeTheTopic = /^by hand/i.test(section?.text ?? '');
          if (this.showsCode || isCodeTheTopic || !speaks) {
            add(input, cell, [], {kind: 'lines', isCode: true});
            input.classList.add('kd-code');
          } else {
            this.hidden.push(input);
            cell.folded = true;
          }
          for (const output of outputs) {
            const markdown = output.querySelector('.jp-RenderedMarkdown');
            const view = output.querySelector('.kmlab-view');
            const controls = output.querySelector('.jupyter-widgets');
            if (markdown && !controls) prose(markdown, cell, [output], false);
            else if (view) add(output, cell, [], {kind: 'picture', view});
            else if (controls || output.querySelector('img')) add(output, cell, [], {kind: 'picture'});
            else if (output.textContent.trim()) add(output, cell, [], {kind: 'lines'});
            else this.hidden.push(output);
          }
        }
        if (type === 'fragment' && this.blocks.length > start) this.blocks[start].steps = true;
        if (this.blocks.length === start && type !== 'notes') this.hidden.push(node);
      }
    }

    words(node) {
      const copy = node.cloneNode(true);
      copy.querySelectorAll('.jp-InternalAnchorLink, .anchor-link, mjx-assistive-mml').forEach(extra => extra.remove());
      return copy.textContent.trim();
    }

    /* ---- from blocks to screens */

    layout() {
      const anchor = this.at ? this.screens[this.at]?.parts[0]?.block.node : null;     // the first slide stays the first
      const holding = () => [...this.screens.keys()].filter(i => this.screens[i].parts.some(({block}) => block.node === anchor));
      const turn = anchor ? holding().indexOf(this.at) : 0;       // a long block is on several slides
      this.clear();
      this.root.classList.remove('kd-sparse', 'kd-first');
      this.u = Math.min(this.root.clientWidth / WIDTH, this.root.clientHeight / HEIGHT);
      this.root.style.setProperty('--u', this.u + 'px');
      this.page.scrollTop = 0;
      this.collect();
      for (const node of this.hidden) node.classList.add('kd-off');
      for (const block of this.blocks) this.measurePicture(block, 1);
      const space = getComputedStyle(this.page);
      this.room = this.page.clientHeight - parseFloat(space.paddingTop) - parseFloat(space.paddingBottom);
      for (const block of this.blocks) this.measure(block);
      this.pack();
      if (anchor) this.at = holding().slice(0, turn + 1).at(-1) ?? this.at;
      this.at = Math.min(this.at, Math.max(0, this.screens.length - 1));
      this.sizes.disconnect();
      for (const block of this.blocks) if (block.view) this.sizes.observe(block.view);
      this.show();
    }

    /* the picture of a block at this multiple of its size in the notebook */
    measurePicture(block, scale) {
      if (block.kind !== 'picture') return;
      const picture = block.node.querySelector('img, canvas');
      if (!picture) return;
      block.picture = picture;
      block.natural = picture.kmlab?.size()[0] || +picture.getAttribute('width') || picture.naturalWidth || 960;
      block.scale = scale;
      block.node.style.setProperty('--kd-width', block.natural * scale * this.u + 'px');
    }

    measure(block) {
      const {node} = block;
      block.zoom = 1;
      block.wide = Math.max(this.widest(node), node.scrollWidth > node.clientWidth + 1 ? node.scrollWidth : 0);
      if (block.kind !== 'picture' && node.clientWidth && block.wide > node.clientWidth) {
        block.zoom = node.clientWidth / (block.wide + 1);
        node.style.zoom = block.zoom;
      }
      const box = node.getBoundingClientRect();
      Object.assign(block, {top: box.top, bottom: box.bottom, height: box.height});
      block.pictureHeight = block.picture?.getBoundingClientRect().height ?? 0;
    }

    /* what a block needs, where it cannot be broken; MathJax says it of a numbered equation as its least width */
    widest(node) {
      const needs = [...node.querySelectorAll('mjx-container')].map(math => Math.max(
        parseFloat(getComputedStyle(math).minWidth) || 0,
        math.getAttribute('width') === 'full' ? 0 : math.firstElementChild?.getBoundingClientRect().width ?? 0));
      return Math.max(0, ...needs, ...[...node.querySelectorAll('table')].map(table => table.scrollWidth));
    }

    pack() {
      this.screens = [];
      let screen = null;
      const fresh = block => this.screens.push(screen = {parts: [], used: 0, section: block.section, bottom: null});
      const gap = block => screen.bottom === null ? 0 : Math.max(0, block.top - screen.bottom);
      const put = (block, part = {height: block.height}) => {
        screen.used += gap(block) + part.height;
        screen.bottom = block.bottom;
        screen.parts.push({block, ...part});
      };
      const isLong = block => block.mustBreak || block.height - this.spare(block) > this.room && block.kind !== 'picture';
      for (let i = 0; i < this.blocks.length; i++) {
        const unit = [this.blocks[i]];
        while (unit.at(-1).glued && i + 1 < this.blocks.length && !this.blocks[i + 1].breaks) unit.push(this.blocks[++i]);
        const least = unit.at(-1).bottom - unit[0].top - unit.reduce((sum, block) => sum + this.spare(block), 0);
        const fits = screen && screen.used + gap(unit[0]) + least <= this.room;
        if (unit.length > 1 && least > this.room) unit.forEach(block => { block.mustBreak = block.kind === 'lines'; });
        const isLate = screen?.parts.length && unit.some(isLong) && this.room - screen.used < this.room / 2;
        if (!screen || unit[0].breaks || !fits && least <= this.room || isLate) fresh(unit[0]);
        const isWhole = least <= this.room && !unit.some(isLong);         // it has room here, if all shrink a little
        for (const block of unit) {
          const left = this.room - screen.used - gap(block);
          const needs = isLong(block) ? this.room / 2 : block.height - this.spare(block);
          if (!isWhole && screen.parts.length && left < needs) fresh(block);
          if (isLong(block)) this.cut(block, screen.parts.length ? left : this.room, put, () => fresh(block));
          else put(block);
        }
      }
      for (const screen of this.screens) {
        this.fill(screen);
        screen.isSparse = screen.used * LARGER_TEXT ** 2 < this.room && screen.parts.every(({block}) =>
          (block.kind === 'text' || block.kind === 'item') && block.wide * LARGER_TEXT < block.node.clientWidth);
      }
    }

    /* a long block goes on: a table with some of its rows, anything else as a window that is cut between lines;
       `left` is the room on the slide where it begins */
    cut(block, left, put, fresh) {
      const rows = [...block.node.querySelectorAll('tbody > tr')];
      if (rows.length) return this.cutTable(block, rows, left, put, fresh);
      const ends = this.lineEnds(block);
      for (let from = 0, end; from < block.height; from = end, left = this.room) {
        if (from) fresh();
        const most = from + Math.min(left, this.room) - 3 * this.u;
        end = block.height <= most ? block.height : ends.findLast(line => line <= most) ?? block.height;
        if (end <= from) end = ends.find(line => line > from) ?? block.height;
        put(block, {from, height: end - from, isCut: true});
      }
    }

    /* where a block can be cut: between two lines as they are on the screen, long ones broken; from its top */
    lineEnds(block) {
      const text = document.createRange(), lines = [];
      text.selectNodeContents(block.node);
      const boxes = [...text.getClientRects()].filter(box => box.height < block.height / 2);
      for (const box of boxes.sort((a, b) => a.bottom - b.bottom)) {
        const last = lines.at(-1);
        if (last && box.top < (last.top + last.bottom) / 2) last.top = Math.min(last.top, box.top), last.bottom = box.bottom;
        else lines.push({top: box.top, bottom: box.bottom});
      }
      return lines.slice(1).map((line, i) => (lines[i].bottom + line.top) / 2 - block.top);
    }

    cutTable(block, rows, left, put, fresh) {
      const heights = rows.map(row => row.getBoundingClientRect().height);
      const head = block.height - heights.reduce((sum, height) => sum + height, 0);
      for (let first = 0, last; first < rows.length; first = last, left = this.room) {
        let height = head;
        for (last = first; last < rows.length && (last === first || height + heights[last] <= left); last++) height += heights[last];
        if (first) fresh();
        put(block, {height, rows, first, last});
      }
    }

    /* by how much a block may shrink so that something fits */
    spare(block) {
      const least = {text: SMALLEST_TEXT, item: SMALLEST_TEXT, lines: SMALLEST_CODE}[block.kind] ?? 1;
      return block.picture ? (1 - SMALLEST_PICTURE) * block.pictureHeight : (1 - least) * block.height;
    }

    /* pictures take the room that is left, or all shrink a little */
    fill(screen) {
      const left = this.room - screen.used - (screen.used > this.room ? 10 : 2) * this.u;
      const blocks = screen.parts.filter(part => !part.isCut).map(part => part.block);      // what was cut keeps its size
      const spare = blocks.reduce((sum, block) => sum + this.spare(block), 0);
      const pictures = blocks.reduce((sum, block) => sum + block.pictureHeight, 0);
      const shrink = left < 0 && spare ? Math.max(-1, left / spare) : 0;       // -1: by all that it may
      for (const block of blocks) {
        if (block.picture) {
          const widest = (this.page.clientWidth - 2 * 40 * this.u) / (block.natural * this.u);
          const grow = left >= 0 ? 1 + left / pictures : 1 + shrink * (1 - SMALLEST_PICTURE);
          block.scale = Math.min(grow, widest, LARGEST_PICTURE);
          block.tooSmall = block.scale < SMALLEST_PICTURE;
        } else if (shrink && this.spare(block)) {
          block.zoom *= 1 + shrink * this.spare(block) / block.height;
        }
      }
    }

    /* ---- showing */

    show() {
      const screen = this.screens[this.at];
      if (!screen) return;
      const parts = screen.parts, shown = new Set(parts.flatMap(part => part.block.path));
      for (const {node} of this.cells()) node.classList.toggle('kd-off', !shown.has(node));
      for (const block of this.blocks) {
        for (const node of block.path) {
          node.classList.toggle('kd-off', !shown.has(node));
          node.classList.toggle('kd-last', parts.at(-1).block.path.includes(node));
        }
        block.node.classList.remove('kd-later', 'kd-long');
        block.node.style.removeProperty('max-height');
      }
      for (const node of this.hidden) node.classList.add('kd-off');
      let steps = 0;
      for (const [i, {block, from, height, isCut, rows, first, last}] of parts.entries()) {
        rows?.forEach((row, number) => row.classList.toggle('kd-off', number < first || number >= last));
        if (block.steps && i) steps++;
        block.node.classList.toggle('kd-later', steps > this.step);
        if (block.zoom !== 1) block.node.style.zoom = block.zoom;
        if (block.picture) block.node.style.setProperty('--kd-width', block.natural * block.scale * this.u + 'px');
        if (isCut) {
          block.node.classList.add('kd-long');
          block.node.style.maxHeight = height / block.zoom + 'px';
          block.node.dataset.from = block.node.scrollTop = from / block.zoom;
        }
      }
      this.steps = steps;
      this.header(screen);
      for (let i = 0; i < 4 && this.page.scrollHeight > this.page.clientHeight; i++) this.squeeze(parts);
      this.page.scrollTop = 0;
      this.root.dataset.slide = this.at + 1;
      this.root.dataset.slides = this.screens.length;
      this.tell();
    }

    /* the last pixels: text that shrinks breaks into other lines than foreseen */
    squeeze(parts) {
      const over = this.page.scrollHeight - this.page.clientHeight;
      const picture = parts.find(({block}) => block.picture)?.block;
      if (picture) {
        picture.scale -= picture.scale * (over + 1) / picture.picture.getBoundingClientRect().height;
        picture.node.style.setProperty('--kd-width', picture.natural * picture.scale * this.u + 'px');
      } else {
        for (const {block, isCut} of parts) if (!isCut) block.node.style.zoom = block.zoom *= 1 - (over + 1) / this.room;
      }
    }

    header(screen) {
      const first = this.blocks[0]?.section;
      const {section} = screen, isTitle = section?.level === 1;
      this.title.replaceChildren(...(section ? [...section.node.cloneNode(true).childNodes] : []));
      this.title.querySelectorAll('.jp-InternalAnchorLink, .anchor-link').forEach(link => link.remove());
      this.root.classList.toggle('kd-first', isTitle);
      this.root.classList.toggle('kd-sparse', Boolean(screen.isSparse));
      this.title.style.fontSize = '';
      const size = parseFloat(getComputedStyle(this.title).fontSize), {clientWidth, scrollWidth} = this.title;
      if (scrollWidth > clientWidth) this.title.style.fontSize = Math.floor(size * clientWidth / scrollWidth) + 'px';
      this.where.textContent = isTitle ? '' : first?.text ?? '';
      this.source.textContent = isTitle ? '' : this.lectures();
      this.number.textContent = `${this.at + 1} / ${this.screens.length}`;
      this.bar.style.width = 100 * (this.at + 1) / this.screens.length + '%';
      this.buttons[0].hidden = !this.showsCode && !screen.parts.some(part => part.block.cell.folded);
    }

    /* the pages of the lectures, from the table under the notebook's title */
    lectures() {
      const table = this.cells()[0]?.node.querySelector('table');
      const column = [...table?.querySelectorAll('th') ?? []].findIndex(head => /^lectures?( pages)?$/.test(head.textContent.trim()));
      return column < 0 ? '' : table.querySelectorAll('tbody td')[column]?.textContent.trim() ?? '';
    }

    go(to, step = 0) {
      this.at = Math.max(0, Math.min(to, this.screens.length - 1));
      this.step = step;
      this.panel.hidden = true;
      this.show();
    }

    next() {
      if (this.step < this.steps) { this.step++; this.show(); }
      else if (this.at + 1 < this.screens.length) this.go(this.at + 1);
    }

    back() {
      if (this.step > 0) { this.step--; this.show(); }
      else if (this.at > 0) this.go(this.at - 1, Infinity);
      this.step = Math.min(this.step, this.steps);
    }

    /* for the printer: a sheet of 1280 x 720 for each slide */
    print() {
      const {at, step} = this;
      const resize = (width, height) => {
        this.root.style.setProperty('width', width, 'important');
        this.root.style.setProperty('height', height, 'important');
        this.layout();
      };
      resize(WIDTH + 'px', HEIGHT + 'px');
      this.paper = make('div', 'kd-paper');
      for (let i = 0; i < this.screens.length; i++) {
        this.go(i, Infinity);
        const parts = [this.title, this.page, this.footer].map(part => part.cloneNode(true));
        const sheet = make('div', this.root.className + ' kd-sheet', ...parts);
        sheet.style.setProperty('--u', '1px');
        this.paper.append(sheet);
      }
      document.body.append(this.paper);
      resize('', '');
      this.go(at, step);
      document.documentElement.classList.add('kd-printing');
      this.paper.querySelectorAll('.kd-long').forEach(node => { node.scrollTop = node.dataset.from; });
    }

    printed() {
      document.documentElement.classList.remove('kd-printing');
      this.paper?.remove();
      this.layout();
    }

    /* ---- keys, list, notes */

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const {target} = event, paging = ['PageDown', 'PageUp', 'Escape'].includes(event.key);
      const typing = target.closest?.('input, textarea, select, .cm-editor, [contenteditable=true]');
      const moving = target.closest?.('[role=slider], button');
      if (!paging && (typing || moving && (/^Arrow|^Home|^End|^Enter| /.test(event.key)))) return;
      if (event.key === 'Tab' || event.key === 'Enter' || event.key === 'Shift') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.press(event.key);
    }

    press(key) {
      switch (key.length === 1 ? key.toLowerCase() : key) {
        case 'ArrowRight': case 'ArrowDown': case 'PageDown': case ' ': case 'n': return this.next();
        case 'ArrowLeft': case 'ArrowUp': case 'PageUp': case 'p': return this.back();
        case 'Home': return this.go(0);
        case 'End': return this.go(this.screens.length - 1, Infinity);
        case 'c': this.showsCode = !this.showsCode; return this.layout();
        case 's': return this.openNotes();
        case 'o': return this.list();
        case 'b': case '.': return this.root.classList.toggle('kd-black');
        case 'f': return this.fullScreen();
        case '?': case 'h': return this.help();
        case 'Escape':
          if (!this.panel.hidden) this.panel.hidden = true;
          else if (this.onClose) this.close();
      }
    }

    fullScreen() {                              // an open popover may not become full screen, so the page does
      if (document.fullscreenElement) return document.exitFullscreen();
      return document.documentElement.requestFullscreen().then(() => {
        this.root.hidePopover?.();
        this.root.showPopover?.();              // above the page, which has just risen itself
      }, () => {});
    }

    help() {
      const rows = HELP.map(([keys, what]) => make('tr', '', make('th', '', keys), make('td', '', what)));
      this.dialog('help', make('table', 'kd-help', ...rows));
    }

    list() {
      const items = this.screens.map((screen, i) => {
        const again = i && this.screens[i - 1].section === screen.section;
        const button = make('button', again ? 'kd-again' : '', `${i + 1}   ${again ? '…' : screen.section?.text ?? ''}`);
        button.onclick = () => this.go(i);
        button.ariaCurrent = i === this.at ? 'true' : null;
        return button;
      });
      if (this.dialog('list', make('div', 'kd-list', ...items))) items[this.at].focus();
    }

    dialog(name, content) {
      const opens = this.panel.hidden || this.panel.dataset.name !== name;
      this.panel.dataset.name = name;
      this.panel.replaceChildren(content);
      this.panel.hidden = !opens;
      return opens;
    }

    openNotes() {
      this.notes = window.open('', 'kmlab-notes', 'popup,width=760,height=620');
      if (!this.notes) return;
      const head = this.notes.document.head;
      head.replaceChildren(make('title', '', 'Speaker notes'));
      document.querySelectorAll('style, link[rel=stylesheet]').forEach(style => head.append(style.cloneNode(true)));
      this.notes.document.documentElement.className = 'kd-notes';
      this.notes.onkeydown = event => { if (event.key !== 'Escape') this.press(event.key); else this.notes.close(); };
      clearInterval(this.clock);
      this.clock = setInterval(() => this.notes.closed ? clearInterval(this.clock) : this.tick(), 1000);
      this.tell();
    }

    tell() {
      if (!this.notes || this.notes.closed) return;
      const screen = this.screens[this.at], next = this.screens[this.at + 1];
      const blocks = new Set(screen.parts.map(part => part.block)), cells = new Set([...blocks].map(block => block.cell));
      const remarks = [...blocks].flatMap(block => block.notes).map(node => node.cloneNode(true));
      for (const remark of remarks) {
        remark.classList.remove('kd-off');
        remark.querySelectorAll('.kd-off').forEach(node => node.classList.remove('kd-off'));
        remark.open = true;
      }
      const code = [...cells].filter(cell => cell.folded).map(cell => make('pre', '', this.sourceOf(cell.node)));
      this.time = make('span', 'kd-time');
      this.notes.document.body.replaceChildren(
        make('h1', '', `${this.at + 1} / ${this.screens.length}   ${screen.section?.text ?? ''}`, this.time),
        make('p', 'kd-next', next ? `next: ${next.section === screen.section ? 'goes on' : next.section?.text ?? ''}` : 'the end'),
        ...remarks, ...code);
      this.tick();
    }

    tick() {
      const seconds = Math.floor((Date.now() - this.begin) / 1000);
      this.time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    }

    sourceOf(node) {
      const lines = [...node.querySelectorAll('.cm-line')].map(line => line.textContent);
      return lines.length ? lines.join('\n') : node.querySelector('.jp-Cell-inputWrapper').textContent;
    }
  }

  window.kmlabDeck = {
    current: null,
    open(options) {
      this.current?.close();
      return this.current = new Deck(options);
    },
  };
})();
