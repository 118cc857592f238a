/* At the podium: keys and a presenter's remote, list, answers, notes with clock, countdown and the next slide, pointer
   and pen, paper. kmlabPodium(Deck) is a deck with all of it. */
window.kmlabPodium = Deck => {
  const {make, text} = kmlabPlan;
  const HELP = [
    ['→ ↓ space PageDown', 'next'], ['← ↑ PageUp', 'back'], ['A', 'answers'], ['27 Enter', 'slide 27'], ['Home, End', 'first, last'],
    ['O', 'list of slides'], ['C', 'code'], ['S', 'speaker notes'], ['B', 'black screen'], ['F, F5', 'full screen'], ['L', 'pointer'],
    ['↑ ↓ on a slider', 'move it; Esc lets go'],
    ['D, E', 'pen, wipe'], ['T', 'dark or light'], ['R', 'restart Python'], ['Ctrl P', 'print, as PDF'], ['Esc', 'back to the notebook'],
  ];
  const HOLDS = 15_000;           // a control that nobody touches for so long gives the arrow keys back
  const TURNS = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'];      // a remote's keys turn the slide, whatever has the focus
  const ARROWS = ['ArrowUp', 'ArrowDown'];
  // what else is a control's own while it has the focus; with Shift also the arrows to the side
  const CONTROLS = [
    ['[role=slider]', [...ARROWS, 'Home', 'End']], ['button, [role=button], input[type=checkbox], input[type=radio]', ['Enter', ' ']],
    ['canvas[tabindex]', [...ARROWS, 'Enter', 'Delete', 'Backspace', 't', ...'123456789']],
    ['input, select, textarea, .cm-editor, [contenteditable=true]', null],       // all that can be typed
  ];
  const CONTROL = CONTROLS.map(([what]) => what).join();

  const clock = seconds => `${seconds < 0 ? '−' : ''}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.floor(Math.abs(seconds) % 60)).padStart(2, '0')}`;

  return class extends Deck {
    constructor(options) {
      super(options);
      Object.assign(this, {begin: Date.now(), typed: '', strokes: new Map()});
      this.panel = make('div', 'kd-panel');
      this.panel.hidden = true;
      this.message = make('div', 'kd-message');
      this.message.setAttribute('role', 'status');
      this.message.hidden = true;
      this.answer = make('div', 'kd-answer');
      this.answer.hidden = true;
      this.pen = make('canvas', 'kd-pen');
      this.dot = make('div', 'kd-dot');
      this.root.append(this.pen, this.answer, this.panel, this.message, this.dot);
      this.tools.append(...[['Answers', 'a'], ['Code', 'c'], ['Notes', 's'], ['List', 'o'], ['Back', 'PageUp'], ['Next', 'PageDown']].map(([name, key]) => {
        const button = make('button', 'kd-button', name);
        button.onclick = () => { this.press(key); button.blur(); };
        button.dataset.key = key;
        return button;
      }));
      this.listeners = [];
      const listen = (target, kind, what, capture = true) => {
        target.addEventListener(kind, what, capture);
        this.listeners.push(() => target.removeEventListener(kind, what, capture));
      };
      listen(window, 'keydown', event => this.key(event));      // before JupyterLab, where a letter may delete a cell
      listen(window, 'pointerdown', event => this.down(event));
      listen(window, 'pointermove', event => this.moves(event));
      listen(window, 'pointerup', event => this.up(event));
      listen(window, 'beforeprint', () => this.print());
      listen(window, 'afterprint', () => this.printed());
      listen(window, 'focusin', () => this.hold());
      this.key_ = 'kmlab-slides ' + (options.name ?? location.pathname);
      this.resume();
      this.turned();
    }

    close() {
      for (const unlisten of this.listeners) unlisten();
      clearTimeout(this.holding);
      clearInterval(this.ticking);
      this.notes?.close();
      if (document.fullscreenElement) document.exitFullscreen();
      super.close();
    }

    /* ---- where one was: after a reload at once, in a new window on request */

    resume() {
      const read = storage => { try { return +storage.getItem(this.key_) || 0; } catch { return 0; } };
      const here = read(sessionStorage), before = read(localStorage);
      if (here && here < this.slides.length) {
        const since = +sessionStorage.getItem(this.key_ + ' since');
        if (Date.now() - since < 3 * 3600_000) this.begin = since;          // the clock goes on, too
        this.go(here);
      } else if (before && before < this.slides.length) {
        this.before = before;
        this.say(`You were at slide ${before + 1}: press Enter to go on there.`, 8000);
      }
    }

    /* a sentence above the footer, for a while or until it is taken back */
    say(words, milliseconds = 0) {
      clearTimeout(this.saying);
      this.message.textContent = words;
      this.message.hidden = !words;
      if (milliseconds) this.saying = setTimeout(() => { this.message.hidden = true; }, milliseconds);
    }

    turned() {
      if (!this.panel || this.isPrinting) return;
      if (this.lastAt !== this.at) {
        const wasShown = this.lastAt !== undefined;
        this.lastAt = this.at;
        this.panel.hidden = this.answer.hidden = true;
        if (wasShown) for (const storage of [sessionStorage, localStorage]) { try { storage.setItem(this.key_, this.at); } catch { /* it is full or forbidden */ } }
        if (wasShown) try { sessionStorage.setItem(this.key_ + ' since', this.begin); } catch { /* as above */ }
      }
      if (!this.answer.hidden) this.fillAnswer();
      const shown = {a: this.answers().length, c: this.codes().length};
      this.tools.querySelectorAll('button').forEach(button => { button.hidden = shown[button.dataset.key] === 0; });
      this.ink();
      this.tell();
    }

    /* ---- keys */

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Shift') return;
      const {target, key} = event;
      const list = !this.panel.hidden && this.panel.contains(target);
      const control = this.inHand(target);
      if (control) {
        if (key === 'Escape') { this.letGo(); return this.stop(event); }
        const [, own] = CONTROLS.find(([what]) => control.matches(what)), isTurn = TURNS.includes(key);
        if (isTurn ? event.shiftKey && key.startsWith('Arrow') : key === 'Tab' || key !== 'F5' && (!own || own.includes(key))) return this.hold();
        if (isTurn) this.letGo();
      }
      if (key === 'Tab' || list && this.walkList(event)) return;
      if (/^\d$/.test(key)) { this.typed += key; this.say(`slide ${this.typed}: Enter`, 4000); return this.stop(event); }
      if (key === 'Enter') {
        const to = +this.typed - 1, isButton = target.closest?.('button');
        if (this.typed) { this.typed = ''; this.say(''); this.go(to); }
        else if (this.before && !this.message.hidden) { this.say(''); this.go(this.before); }
        else if (isButton) return;
        else this.next();
        this.before = 0;
        return this.stop(event);
      }
      this.typed = '';
      this.stop(event);
      this.press(key);
    }

    stop(event) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }

    walkList(event) {
      const items = [...this.panel.querySelectorAll('button')], at = items.indexOf(document.activeElement);
      const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1}[event.key];
      if (at < 0) return false;
      if (event.key === 'Enter' || event.key === ' ') { items[at].click(); this.stop(event); return true; }
      if (to === undefined) return false;
      items[Math.max(0, Math.min(to, items.length - 1))].focus();
      this.stop(event);
      return true;
    }

    inHand(target) {
      return this.stage.contains(target) ? target.closest?.(CONTROL) : null;
    }

    /* a control in hand has keys of its own until it is let go: by Esc, at the next slide, at the end of a drag, after a while */
    hold() {
      clearTimeout(this.holding);
      const control = this.inHand(document.activeElement);
      this.root.classList.toggle('kd-held', Boolean(control));
      if (control) this.holding = setTimeout(() => this.letGo(), HOLDS);
    }

    letGo() {
      clearTimeout(this.holding);
      if (this.root.contains(document.activeElement)) document.activeElement.blur();
      this.root.classList.remove('kd-held');
    }

    press(key) {
      switch (key.length === 1 ? key.toLowerCase() : key) {
        case 'ArrowRight': case 'ArrowDown': case 'PageDown': case ' ': case 'n': return this.turn_(() => this.next());
        case 'ArrowLeft': case 'ArrowUp': case 'PageUp': case 'Backspace': case 'p': return this.turn_(() => this.back());
        case 'Home': return this.go(0);
        case 'End': return this.go(this.slides.length - 1, Infinity);
        case 'a': return this.showAnswer();
        case 'c': return this.showCode();
        case 's': return this.openNotes();
        case 'o': return this.list();
        case 'b': case '.': return this.root.classList.toggle('kd-black');
        case 'f': return this.fullScreen();
        case 'F5': return document.fullscreenElement || this.fullScreen();        // with it a remote begins
        case 'l': return this.root.classList.toggle('kd-pointing');
        case 'd': return this.root.classList.toggle('kd-drawing');
        case 'e': this.strokes.delete(this.at); return this.ink();
        case 't': return this.theme(!this.root.classList.contains('kd-dark'));
        case 'r': return this.restart?.();
        case '?': case 'h': return this.help();
        case 'Escape':
          for (const name of ['kd-black', 'kd-drawing', 'kd-pointing']) if (this.root.classList.contains(name)) return this.root.classList.remove(name);
          if (!this.panel.hidden || !this.answer.hidden) this.panel.hidden = this.answer.hidden = true;
          else if (this.onClose) this.close();
      }
    }

    turn_(step) {
      if (this.root.classList.contains('kd-black')) return this.root.classList.remove('kd-black');
      return step();
    }

    theme(isDark) {
      this.root.classList.toggle('kd-dark', isDark);
      this.root.dataset.jpThemeLight = String(!isDark);
    }

    fullScreen() {                              // an open popover may not become full screen, so the page does
      if (document.fullscreenElement) return document.exitFullscreen();
      return document.documentElement.requestFullscreen().then(() => {
        this.root.hidePopover?.();
        this.root.showPopover?.();              // above the page, which has just risen itself
      }, () => {});
    }

    /* ---- panels */

    dialog(name, content) {
      const opens = this.panel.hidden || this.panel.dataset.name !== name;
      this.panel.dataset.name = name;
      this.panel.replaceChildren(content);
      this.panel.hidden = !opens;
      return opens;
    }

    help() {
      const rows = HELP.map(([keys, what]) => make('tr', '', make('th', '', keys), make('td', '', what)));
      this.dialog('help', make('table', 'kd-help', ...rows));
    }

    list() {
      const items = this.slides.map((slide, i) => {
        const button = make('button', i && this.slides[i - 1].section === slide.section ? 'kd-again' : '', `${i + 1}   ${slide.name}`);
        button.onclick = () => { this.panel.hidden = true; this.go(i); };
        button.ariaCurrent = i === this.at ? 'true' : null;
        return button;
      });
      if (this.dialog('list', make('div', 'kd-list', ...items))) { items[this.at].focus(); items[this.at].scrollIntoView({block: 'center'}); }
    }

    codes() {
      return this.slide?.cells.filter(cell => cell.source && !cell.node.querySelector('.jp-MarkdownOutput')).map(cell => cell.node.querySelector('.jp-Cell-inputWrapper')).filter(Boolean) ?? [];
    }

    showCode() {
      const codes = this.codes().map(code => { const copy = code.cloneNode(true); copy.hidden = false; return copy; });
      if (codes.length) this.dialog('code', make('div', 'kd-codes code', ...codes));
    }

    answers() {
      return this.slide?.states[this.state]?.flatMap(part => part.answers ?? []) ?? [];
    }

    showAnswer() {
      if (!this.answers().length) return this.say('No answers on this slide.', 2000);
      this.answer.hidden = !this.answer.hidden;
      if (!this.answer.hidden) this.fillAnswer();
    }

    fillAnswer() {
      const answers = this.answers();
      if (!answers.length) { this.answer.hidden = true; return; }
      const items = answers.map(answer => answer.cloneNode(true));
      items.forEach(item => { if (item.tagName === 'DETAILS') item.open = true; });
      this.answer.replaceChildren(items[0].tagName === 'LI' ? make('ol', '', ...items) : items[0]);
      answers.forEach((answer, i) => { if (answer.tagName === 'LI') items[i].value = [...answer.parentElement.children].indexOf(answer) + 1; });
    }

    /* ---- pointer and pen */

    moves(event) {
      if (this.root.classList.contains('kd-pointing')) this.dot.style.translate = `${event.clientX}px ${event.clientY}px`;
      if (this.stroke) { this.stroke.push(this.spot(event)); this.ink(); this.stop(event); }
      this.root.classList.add('kd-moved');
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.root.classList.remove('kd-moved'), 2500);
    }

    spot(event) { return [event.clientX / this.root.clientWidth, event.clientY / this.root.clientHeight]; }

    down(event) {
      this.pressed = [event.clientX, event.clientY];
      if (!this.root.classList.contains('kd-drawing') || event.target.closest('.kd-footer, .kd-panel')) return;
      this.strokes.set(this.at, [...this.strokes.get(this.at) ?? [], this.stroke = [this.spot(event)]]);
      this.stop(event);
    }

    up(event) {
      this.stroke = null;
      const [x, y] = this.pressed ?? [event.clientX, event.clientY];
      const isDrag = Math.hypot(event.clientX - x, event.clientY - y) > 4;
      setTimeout(() => document.activeElement?.matches?.(isDrag ? '[role=slider], button' : 'button') ? this.letGo() : this.hold());
    }

    ink() {
      const {pen, root} = this, strokes = this.strokes.get(this.at) ?? [];
      Object.assign(pen, {width: root.clientWidth, height: root.clientHeight});
      const brush = pen.getContext('2d');
      Object.assign(brush, {lineWidth: 4 * this.u, lineCap: 'round', lineJoin: 'round', strokeStyle: '#d55e00'});
      for (const stroke of strokes) {
        brush.beginPath();
        stroke.forEach(([x, y]) => brush.lineTo(x * pen.width, y * pen.height));
        brush.stroke();
      }
    }

    /* ---- the speaker's own window */

    openNotes() {
      this.notes = window.open('', 'kmlab-notes', 'popup,width=900,height=700');
      if (!this.notes) return this.say('The browser kept the notes window closed: allow pop-ups for this page and press S again.', 6000);
      const {document: paper} = this.notes;
      paper.head.replaceChildren(make('title', '', 'Speaker notes'));
      document.querySelectorAll('style, link[rel=stylesheet]').forEach(style => paper.head.append(style.cloneNode(true)));
      paper.documentElement.className = 'kd-notes';
      this.minutes ??= +(this.readMinutes?.() ?? 0) || 45;
      const minutes = make('input', '');
      Object.assign(minutes, {type: 'number', min: 1, value: this.minutes, oninput: () => { this.minutes = +minutes.value || 0; this.tick(); }});
      const again = make('button', '', 'from 0:00');
      again.onclick = () => { this.begin = Date.now(); this.tick(); };
      this.now = make('b', 'kd-time'), this.spent = make('b', 'kd-spent'), this.left = make('b', 'kd-left');
      this.said = make('div', 'kd-said'), this.coming = make('div', 'kd-coming');
      paper.body.replaceChildren(make('div', 'kd-clocks', this.now, ' · spoken ', this.spent, ' ', again, ' · left ', this.left, ' of ', minutes, ' minutes'), this.said, this.coming);
      this.notes.onkeydown = event => {
        const {key, target} = event, isInput = target.matches?.('input'), isTurn = TURNS.includes(key);
        if (isInput && ['Enter', 'Escape'].includes(key)) return target.blur();
        if (isInput && !isTurn || event.ctrlKey || event.metaKey || event.altKey || ['Tab', 'Shift'].includes(key)) return;
        if (key === 'Escape') return this.notes.close();
        if (isInput) target.blur();
        if (/^\d$|^Enter$/.test(key)) this.key(event); else { event.preventDefault(); this.typed = ''; this.press(key); }
      };
      clearInterval(this.ticking);
      this.ticking = setInterval(() => this.notes.closed ? clearInterval(this.ticking) : this.tick(), 1000);
      this.tell();
    }

    tell() {
      if (!this.notes || this.notes.closed) return;
      const {slide} = this, next = this.slides[this.at + 1];
      const copies = nodes => nodes.map(node => {
        const copy = node.cloneNode(true);
        for (const details of [copy, ...copy.querySelectorAll('details')]) if (details.tagName === 'DETAILS') details.open = true;
        return copy;
      });
      const code = slide.cells.filter(cell => cell.folded).map(cell => make('pre', '', cell.source));
      const count = slide.states.length > 1 ? ` (${this.state + 1} of ${slide.states.length})` : '';
      this.said.replaceChildren(make('h1', '', `${this.at + 1} / ${this.slides.length}${count}   ${slide.name}`), ...copies(slide.notes), ...code);
      const picture = next?.figure?.node.querySelector('img')?.cloneNode();
      const texts = next?.states[0].flatMap(part => part.sentences ?? part.group ?? []).filter(node => node.nodeType) ?? [];
      this.coming.replaceChildren(make('h2', '', next ? `next: ${this.at + 2}   ${next.name}` : 'the end'),
        ...(picture ? [picture] : []), make('p', '', ...copies(texts).flatMap(copy => [...copy.childNodes, ' '])));
      this.tick();
    }

    tick() {
      const spent = (Date.now() - this.begin) / 1000;
      this.now.textContent = new Date().toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'});
      this.spent.textContent = clock(spent);
      this.left.textContent = clock(60 * this.minutes - spent);
      this.left.classList.toggle('kd-over', spent > 60 * this.minutes);
    }

    /* ---- for the printer: a sheet of 1280 x 720 for each slide, and for each of its states */

    print() {
      const {at, state, root} = this;
      const resize = (width, height) => {
        root.style.setProperty('width', width, 'important');
        root.style.setProperty('height', height, 'important');
      };
      this.isPrinting = true;
      resize('1280px', '720px');
      this.paper = make('div', 'kd-paper');
      this.slides.forEach((slide, i) => slide.states.forEach((_, k) => {
        if (slide.frames ? k : 0) return;
        Object.assign(this, {at: i, state: k});
        this.build();
        const parts = [this.title, this.stage, this.footer].map(part => part.cloneNode(true));
        const sheet = make('div', root.className + ' kd-sheet', ...parts);
        sheet.classList.remove('kd-black', 'kd-dark');
        sheet.style.setProperty('--u', '1px');
        this.paper.append(sheet);
      }));
      document.body.append(this.paper);
      this.isPrinting = false;
      resize('', '');
      Object.assign(this, {at, state});
      this.build();
      document.documentElement.classList.add('kd-printing');
    }

    printed() {
      document.documentElement.classList.remove('kd-printing');
      this.paper?.remove();
      this.build();
    }
  };
};
