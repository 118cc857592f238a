/* Slides on a screen: the same code for a living notebook in JupyterLab and for pages that are handed out.

   kmlabDeck.open({root, cells, isLive, alive, onClose, ...}): root fills the screen, cells() lists what plan.js makes
   slides of, alive(cell, number) is the living form of an output or null. What is on a slide is decided in plan.js; here
   it gets its place: a picture as large as the screen allows, with its words beside or below it. Sizes are those of a
   screen of 1280 x 720 and grow with the screen. */
(() => {
  const {make} = kmlabPlan;
  const WIDTH = 1280, HEIGHT = 720;
  const TEXT = 24, CALM = 34, GAP = 22;                       // the smallest type, one that fills a slide well; between things
  const LARGEST = {text: 80, math: 80, table: 44, code: 32, side: 30};   // type, if a slide has nothing larger to show
  const BESIDE = [270, 320, 380, 450, 540];                   // columns beside a picture

  class Deck {
    constructor(options) {
      Object.assign(this, {isLive: false, alive: () => null, ready: async () => {}}, options, {at: 0, state: 0, slides: []});
      this.title = make('header', 'kd-title');
      this.stage = make('div', 'kd-stage');
      this.where = make('span', 'kd-where');
      this.status = make('span', 'kd-status');
      this.number = make('span', 'kd-number');
      this.bar = make('div', 'kd-bar');
      this.tools = make('span', 'kd-tools');
      this.footer = make('footer', 'kd-footer', this.bar, this.where, this.status, this.tools, this.number);
      this.root.classList.add('kd-root');
      this.root.append(this.title, this.stage, this.footer);
      document.documentElement.classList.add('kd-open');
      this.rise();
      this.later = () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.place(), 60); };
      window.addEventListener('resize', this.later);
      document.fonts.addEventListener('loadingdone', this.later);       // formulas have another height in their own font
      this.sizes = new ResizeObserver(() => this.later());
      this.plan();
    }

    /* into the browser's top layer: nothing of JupyterLab can lie above it or clip it */
    rise() {
      this.root.popover = 'manual';
      this.root.showPopover?.();
    }

    close() {
      window.removeEventListener('resize', this.later);
      document.fonts.removeEventListener('loadingdone', this.later);
      clearTimeout(this.timer);
      this.sizes.disconnect();
      kmlabDeck.current = null;
      document.documentElement.classList.remove('kd-open');
      try {
        this.onClose?.();                     // while what lives in it is still in the page
      } finally {
        this.root.hidePopover?.();
        this.root.remove();
      }
    }

    plan() {
      const cell = this.slides[this.at]?.items[0].cell, first = this.at;
      this.slides = kmlabPlan(this.cells(), this.isLive);
      if (cell) {                             // where it is now, should there be other slides before it
        const same = this.slides.findIndex(slide => slide.cells.includes(cell));
        if (this.slides[first]?.cells.includes(cell) !== true && same >= 0) this.at = same;
      }
      this.at = Math.min(this.at, this.slides.length - 1);
      this.show();
    }

    get slide() { return this.slides[this.at]; }

    /* ---- showing */

    async show() {
      const {slide} = this;
      if (!slide) return;
      this.state = Math.max(0, Math.min(this.state, slide.states.length - 1));
      const turn = this.turn = Symbol();
      await this.ready(slide, this.slides[this.at + 1]);      // formulas are set, if they were not yet
      if (turn === this.turn) this.build();
    }

    build() {
      const {slide} = this;
      this.header(slide);
      this.figure = slide.figure ? this.figureOf(slide) : null;
      this.side = make('div', 'kd-side', ...slide.states.map(parts => make('div', 'kd-state', ...parts.map(part => this.partOf(part)))));
      if (![...this.side.children].some(state => state.childElementCount)) this.side = null;
      for (const child of [...this.stage.children]) if (child !== this.figure) child.classList.contains('kd-host') ? child.classList.add('kd-off') : child.remove();
      if (this.figure) { this.figure.classList.remove('kd-off'); if (this.figure.parentElement !== this.stage) this.stage.append(this.figure); }
      if (this.side) this.stage.append(this.side);
      this.sizes.disconnect();
      this.place();
      if (this.figure) this.sizes.observe(this.figure);
      this.turned?.();
    }

    header(slide) {
      this.title.replaceChildren();
      if (slide.headline || slide.section) {
        const node = slide.lead ? kmlabPlan.unlabelled(slide.lead) : (slide.headline ?? slide.section.node).cloneNode(true);   // its formulas are set by now
        this.title.append(...node.childNodes);
      } else this.title.append(this.name?.replace(/^.*\/|\.ipynb$/g, '') || document.title);
      this.title.querySelectorAll('.jp-InternalAnchorLink, .anchor-link').forEach(link => link.remove());
      this.root.classList.toggle('kd-first', Boolean(slide.isFirst && slide.section?.level === 1));
      const about = [slide.headline && slide.name !== slide.section?.text ? slide.section?.text : '', slide.isFirst ? '' : this.slides[0].section?.text];
      this.where.textContent = about.filter(Boolean).filter((text, i, all) => all.indexOf(text) === i).join(' · ');
      this.number.textContent = `${this.at + 1} / ${this.slides.length}`;
      this.bar.style.width = 100 * (this.at + 1) / this.slides.length + '%';
      this.root.dataset.slide = this.at + 1;
      this.root.dataset.slides = this.slides.length;
    }

    figureOf(slide) {
      const {node, cell, number} = slide.figure;
      const host = this.isPrinting ? null : this.alive(cell, number);
      if (host) return host;
      if (slide.frames) return this.stripOf(slide);
      const copy = make('div', 'kd-figure', node.cloneNode(true));
      copy.querySelectorAll('.kd-frames, .kmlab-strip').forEach(strip => strip.remove());
      return this.still?.(cell, number, copy) ?? copy;
    }

    /* steps that cannot be taken here: one frame large, all of them small */
    stripOf(slide) {
      const at = Math.min(this.state, slide.frames.length - 1), frame = slide.frames[at].cloneNode(true);
      const strip = make('div', 'kd-strip', ...slide.frames.map((each, i) => {
        const small = each.querySelector('img').cloneNode();
        small.classList.toggle('kd-now', i === at);
        small.onclick = () => this.go(this.at, i);
        return small;
      }));
      return make('div', 'kd-figure kd-steps', frame, strip);
    }

    partOf({item, sentences, group, isLong}) {
      if (sentences) return make('p', 'kd-text', ...sentences.map(sentence => sentence.cloneNode(true)));
      if (item.kind === 'claims') return this.claimsOf(group);
      if (item.kind === 'list') {
        const list = item.node.cloneNode(false);
        list.classList.add('kd-list-of');
        for (const each of group) {
          const copy = each.cloneNode(true);
          copy.querySelectorAll('details').forEach(details => details.remove());
          if (isLong) [...copy.querySelectorAll(':scope > .kd-s')].slice(1).forEach(sentence => sentence.remove());
          list.append(copy);
        }
        return list;
      }
      if (item.kind === 'table') {
        const table = item.node.cloneNode(true), rows = [...table.querySelectorAll('tbody > tr, :scope > tr')];
        rows.forEach((row, i) => item.rows.includes(item.all[i]) || row.remove());
        table.classList.add('kd-table');
        table.classList.toggle('kd-erratum', item.isErratum);
        return table;
      }
      if (item.kind === 'code' || item.kind === 'printed') return this.linesOf(item);
      const copy = make('div', 'kd-math', item.node.cloneNode(true));
      return copy;
    }

    claimsOf(lines) {
      return make('ul', 'kd-claims', ...lines.filter(line => line.trim()).map(line => {
        const [, mark, words] = line.match(/^([✔✘]?)\s*(.*?)\s*(?:\(off by at most [^()]*\))?\s*$/);
        return make('li', mark ? '' : 'kd-plain', make('span', 'kd-mark', mark + ' '), words);
      }));
    }

    /* lines of a listing with their colours */
    linesOf({node, kind, from, to}) {
      const pre = node.matches('pre') ? node : node.querySelector('pre') ?? node, range = document.createRange();
      const walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
      let line = 0, isOpen = from === 0;
      range.selectNodeContents(pre);
      while (walk.nextNode() && line < to) {
        const {currentNode: text} = walk;
        for (let i = text.data.indexOf('\n'); i >= 0; i = text.data.indexOf('\n', i + 1)) {
          line++;
          if (line === from && !isOpen) { range.setStart(text, i + 1); isOpen = true; }
          if (line === to) { range.setEnd(text, i); break; }
        }
      }
      const inside = make(node.classList.contains('code') || node.querySelector('.code') ? 'span' : 'code', '', range.cloneContents());
      return make('div', kind === 'code' ? 'kd-lines code' : 'kd-lines kd-printed', make('pre', '', inside));
    }

    /* ---- a place for everything */

    place() {
      const {stage, side, figure, root, slide} = this;
      if (!slide) return;
      this.u = Math.min(root.clientWidth / WIDTH, root.clientHeight / HEIGHT);
      root.style.setProperty('--u', this.u + 'px');
      this.tall = root.clientHeight / HEIGHT / this.u;          // a third more on a screen of 4 to 3
      root.style.setProperty('--tall', this.tall);
      this.title.style.fontSize = '';
      for (let size = 34; size > 28 && this.title.scrollHeight > 100 * this.u; size -= 2) this.title.style.fontSize = `calc(${size} * var(--u))`;
      const style = getComputedStyle(stage);
      this.room = {width: stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), left: parseFloat(style.paddingLeft),
        height: stage.clientHeight - parseFloat(style.paddingBottom)};
      if (side) [...side.children].forEach((state, i) => state.classList.toggle('kd-now', i === this.state));
      if (figure) this.placeFigure();
      else if (side) this.placeText();
    }

    type(node, size) { node.style.setProperty('--type', size * this.u + 'px'); }

    /* a formula that is too wide gets smaller type of its own, as long as it can be read */
    isTooWide(node) {
      return [...node.querySelectorAll('.kd-math, table, pre, .kd-text, li')].some(part => {
        const isMath = part.classList.contains('kd-math');
        if (isMath) part.style.fontSize = '';
        const over = this.needs(part) / (part.tagName === 'TABLE' ? part.parentElement : part).clientWidth;
        if (over <= 1.002) return false;
        if (!isMath) return true;
        const size = parseFloat(getComputedStyle(part).fontSize) / over * 0.995;
        if (size < TEXT * this.u - 0.1) return true;
        part.style.fontSize = size + 'px';
        return this.needs(part) > part.clientWidth + 1.5;
      });
    }

    /* the width that a part cannot do without; MathJax says it of a numbered equation as its least width */
    needs(part) {
      const maths = [...part.querySelectorAll('mjx-container')].map(math => Math.max(parseFloat(getComputedStyle(math).minWidth) || 0,
        math.getAttribute('width') === 'full' ? 0 : math.firstElementChild?.getBoundingClientRect().width ?? 0));
      const wide = part.matches('.kd-math, table, pre') ? part.scrollWidth : 0;
      const edges = [...part.querySelectorAll(':not(mjx-assistive-mml) > math')].map(math => math.getBoundingClientRect().right - part.getBoundingClientRect().left);
      return Math.max(0, wide, ...maths, ...edges);
    }

    /* the picture at the largest size within width x height; -> its width */
    size(width, height) {
      const {figure, u} = this;
      figure.style.width = width + 'px';
      figure.style.zoom = '';
      const picture = figure.querySelector('.kmlab-picture canvas, .kd-figure > * img, img, canvas');
      const isOurs = picture && (picture.closest('.kmlab-picture, .jp-RenderedImage, .kd-figure') !== null);
      if (!isOurs) {
        const inside = figure.firstElementChild ?? figure, scale = Math.min(width / inside.scrollWidth, height / inside.scrollHeight, 2.4 * u);
        figure.style.zoom = scale;
        figure.style.width = width / scale + 'px';
        return inside.scrollWidth * scale;
      }
      const [naturalWidth, naturalHeight] = picture.kmlab?.size() ?? [+picture.getAttribute('width') || picture.naturalWidth || 960,
        +picture.getAttribute('height') || picture.naturalHeight || 440];
      const ratio = naturalWidth / naturalHeight;
      let wide = width;
      for (let i = 0; i < 3; i++) {
        figure.style.setProperty('--kd-width', wide + 'px');
        const others = figure.offsetHeight - picture.offsetHeight;
        wide = Math.max(100 * u, Math.min(width, (height - others) * ratio));
      }
      figure.style.setProperty('--kd-width', wide + 'px');
      this.scale = wide / naturalWidth / u;
      return wide;
    }

    placeFigure() {
      const {side, figure, u, room} = this, gap = GAP * u;
      if (!side) {
        this.size(room.width, room.height);
        return this.put(figure, room.left, (room.height - figure.offsetHeight) / 2, room.width);
      }
      this.type(side, TEXT);
      const columns = side.querySelector('table') ? BESIDE.slice(-2) : BESIDE;         // in a narrow one a table is all line ends
      const tries = [...columns.map(column => column * u), 0].map(column => {
        side.style.width = (column || room.width) + 'px';
        const tall = side.offsetHeight, fits = tall <= room.height && !this.isTooWide(side);
        const [width, height] = column ? [room.width - column - gap, room.height] : [room.width, room.height - tall - gap / 2];
        return {column, width, height, fits, wide: height > 100 * u ? this.size(width, height) : 0};
      });
      const best = tries.reduce((a, b) => (b.fits - a.fits || b.wide - a.wide * 1.01) > 0 ? b : a);
      side.style.width = (best.column || room.width) + 'px';
      this.size(best.width, best.height);
      const tall = figure.offsetHeight * (parseFloat(figure.style.zoom) || 1);
      const most = best.column ? room.height : room.height - tall - gap / 2;
      this.grow(side, this.tall * (best.column ? LARGEST.side : 1.2 * CALM), () => side.offsetHeight <= most + 0.5 && !this.isTooWide(side));
      if (best.column) {
        this.put(figure, room.left, Math.max(0, (room.height - tall) / 2), best.width);
        this.put(side, room.left + best.width + gap, Math.max(0, (room.height - side.offsetHeight) / 2), best.column);
      } else {
        const free = Math.max(0, room.height - tall - side.offsetHeight - gap / 2) / 2;
        this.put(figure, room.left, free, best.width);
        this.put(side, room.left, free + tall + gap / 2, room.width);
      }
      this.beside = Boolean(best.column);
    }

    put(node, left, top, width) {
      const zoom = parseFloat(node.style.zoom) || 1;
      Object.assign(node.style, {left: left / zoom + 'px', top: top / zoom + 'px', width: width / zoom + 'px'});
    }

    /* the largest type for which it still fits; -> it */
    grow(node, most, fits) {
      let low = TEXT, high = most;
      this.type(node, high);
      if (fits()) return high;
      for (let i = 0; i < 5; i++) {
        const middle = (low + high) / 2;
        this.type(node, middle);
        if (fits()) low = middle;
        else high = middle;
      }
      this.type(node, low);
      return low;
    }

    placeText() {
      const {side, room, slide} = this;
      side.querySelectorAll('.kd-columns').forEach(old => old.replaceWith(...[...old.children].flatMap(column => [...column.children])));
      const parts = [...side.querySelectorAll('.kd-state.kd-now > *')];
      const kinds = new Set(slide.states[this.state].map(({item}) => item.kind));
      const lines = slide.states[this.state].reduce((sum, {item}) => sum + (item.kind === 'code' || item.kind === 'table' ? item.lines : 0), 0);
      const most = this.tall * (lines < 8 ? (kinds.size === 1 && kinds.has('text') ? LARGEST.text : LARGEST.math) : kinds.has('table') && !kinds.has('code') ? LARGEST.table : kinds.has('code') || kinds.has('table') || kinds.has('printed') ? LARGEST.code : kinds.has('math') || kinds.has('claims') ? LARGEST.math : LARGEST.text);
      this.put(side, room.left, 0, room.width);
      const fits = () => side.offsetHeight <= room.height && !this.isTooWide(side);
      const state = side.querySelector('.kd-now');
      const stacked = this.grow(side, most, fits);
      if (stacked < 30 && parts.length > 1 || !fits()) {
        let best = {size: fits() ? stacked * 1.1 : 0, at: 0};
        for (let at = 1; at < parts.length; at++) {
          this.columns(state, parts, at);
          const size = this.grow(side, most, fits);
          if (fits() && size > best.size) best = {size, at};
        }
        this.columns(state, parts, best.at);
        this.grow(side, most, fits);
      }
      const type = () => parseFloat(side.style.getPropertyValue('--type')) / this.u;
      for (let size = type(); size > CALM && side.offsetHeight > 0.66 * room.height;) {      // no larger than it takes
        this.type(side, --size);
        if (side.offsetHeight < 0.55 * room.height) { this.type(side, size + 1); break; }    // a line less, and half of it is empty
      }
      if (!fits()) {                      // rather small than cut off; look_at_slides.py finds it
        for (let size = TEXT; size > 10 && !fits(); size -= 0.5) this.type(side, size);
      }
      this.put(side, room.left, Math.max(0, (room.height - side.offsetHeight) / 2.2), room.width);
    }

    columns(state, parts, at) {
      if (!at) state.replaceChildren(...parts);
      else state.replaceChildren(make('div', 'kd-columns', make('div', '', ...parts.slice(0, at)), make('div', '', ...parts.slice(at))));
    }

    go(to, state = 0) {
      this.at = Math.max(0, Math.min(to, this.slides.length - 1));
      this.state = state;
      return this.show();
    }

    next() {
      if (this.state + 1 < this.slide.states.length) return this.step(this.state + 1);
      if (this.at + 1 < this.slides.length) return this.go(this.at + 1);
    }

    back() {
      if (this.state > 0) return this.step(this.state - 1);
      if (this.at > 0) return this.go(this.at - 1, Infinity);
    }

    /* other words beside the same picture, which stays where it is */
    step(state) {
      this.state = state;
      if (this.slide.frames) return this.show();
      this.place();
      this.turned?.();
    }
  }

  window.kmlabDeck = {
    current: null,
    Deck,
    open(options) {
      this.current?.close();
      return this.current = new (window.kmlabPodium?.(Deck) ?? Deck)(options);
    },
  };
})();
