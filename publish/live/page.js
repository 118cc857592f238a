/* A live page: controls that are there at once, Python when it is asked for, pictures drawn by the notebooks' own touch.js.
   What a control is and does is said by Python (inside.py): here are only its looks and its keys. */
import touch from './touch.js';

const page = JSON.parse(document.getElementById('kmlab-page').textContent);
const base = new URL('../', import.meta.url).href;
const SLOW = 400, FORGIVEN = 60;                     // milliseconds; CSS pixels around the window
const STOPPED = 'Stopped. Python starts again with the next run, or the next touch of a picture.';
const NOTHING = 'It ran, and printed nothing.';
const HOW = 'Shift+Enter runs. Escape, then Tab leaves. Your text stays in this browser.';
const HAND_IN = HOW.replace('Your text', 'What is handed in is the notebook; your text here');
const VALUES = ['value', 'index'];                   // what the reader changes
const make = (tag, className = '', set = {}, ...parts) => {
  const made = Object.assign(document.createElement(tag), {className, ...set});
  made.append(...parts);
  return made;
};
const megabytes = bytes => (bytes / 1e6).toFixed(1);
const bound = new Map();                             // id -> what is in the page: {el, node, update}

// ---- widgets

const written = value => Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(+value.toPrecision(3));
const css = (el, settings) => {
  for (const [name, value] of Object.entries(settings ?? {}))
    el.style.setProperty(name.replaceAll('_', '-'), value ?? '');
};

const kinds = {
  HBox: (node, view) => box(node, view, 'widget-hbox'),
  VBox: (node, view) => box(node, view, 'widget-vbox'),
  HTML(node) {
    const el = make('div', 'widget-html');
    return {el, set: {value: html => { el.innerHTML = html ?? ''; }}};
  },
  Button(node, view) {
    const el = make('button', 'widget-button', {type: 'button'});
    el.addEventListener('click', () => view.tell(node.id, 'click', true));
    return {el, set: {description: words => { el.textContent = words; }, disabled: no => { el.disabled = no ?? false; }}};
  },
  IntSlider: slider, FloatSlider: slider,
  SelectionSlider(node, view) {
    const part = slider(node, view, 'index', index => bound.get(node.id).node.labels[index]);
    part.set.labels = labels => { part.input.max = labels.length - 1; };
    return part;
  },
  Dropdown(node, view) {
    const input = make('select', '', {id: node.id}), el = labelled('widget-dropdown', input);
    input.addEventListener('change', () => view.tell(node.id, 'index', input.selectedIndex));
    return {el, input, set: {
      description: words => named(el, words), disabled: no => { input.disabled = no ?? false; },
      labels: labels => input.replaceChildren(...labels.map(words => new Option(words))),
      index: index => { input.selectedIndex = index ?? 0; }}};
  },
  ToggleButtons(node, view) {
    const label = make('span', 'widget-label', {id: node.id}), el = make('div', 'widget-inline-hbox widget-toggle-buttons', {}, label);
    el.setAttribute('role', 'group');
    el.setAttribute('aria-labelledby', node.id);
    const show = index => [...el.querySelectorAll('button')].forEach((button, i) => {
      button.setAttribute('aria-pressed', i === index);
      button.classList.toggle('mod-active', i === index);
    });
    const buttons = labels => labels.map((words, i) => {
      const button = make('button', 'widget-toggle-button', {type: 'button', textContent: words});
      button.addEventListener('click', () => { show(i); view.tell(node.id, 'index', i); });
      return button;
    });
    return {el, set: {description: words => { label.textContent = words; }, index: index => show(index ?? 0),
                      labels: labels => el.replaceChildren(label, make('div', 'widget-toggles', {}, ...buttons(labels)))}};
  },
  Checkbox(node, view) {
    const input = make('input', '', {type: 'checkbox', id: node.id}), words = make('span');
    input.addEventListener('change', () => view.tell(node.id, 'value', input.checked));
    return {el: make('label', 'widget-checkbox', {}, input, words), input, set: {
      description: text => { words.textContent = text; }, disabled: no => { input.disabled = no ?? false; },
      value: yes => { input.checked = yes ?? false; }}};
  },
  Text(node, view) {
    const input = make('input', '', {type: 'text', id: node.id, spellcheck: false, autocomplete: 'off'}), el = labelled('widget-text', input);
    input.addEventListener('change', () => view.tell(node.id, 'value', input.value));
    return {el, input, set: {description: words => named(el, words), disabled: no => { input.disabled = no ?? false; },
                             value: text => { input.value = text ?? ''; }}};
  },
  Picture(node, view) { view.model = new Model(view, node.id); return {el: view.place, set: {}}; },
};

function box(node, view, className) {
  const el = make('div', 'widget-box ' + className);
  const set = {children: nodes => el.replaceChildren(...nodes.map(child => build(child, view)))};
  set.children(node.children ?? []);
  return {el, set};
}

function labelled(className, input) {
  return make('div', 'widget-inline-hbox ' + className, {}, make('label', 'widget-label', {htmlFor: input.id, hidden: true}), input);
}

function named(el, words) {
  const label = el.querySelector('.widget-label');
  label.textContent = words;
  label.hidden = !words;
}

function slider(node, view, trait = 'value', words = written) {
  const input = make('input', '', {type: 'range', id: node.id, min: 0}), el = labelled('widget-slider widget-hslider', input);
  input.setAttribute('role', 'slider');                // touch.js looks for it
  const typed = () => el.parentNode?.querySelector('input[type=text]');
  const say = () => input.setAttribute('aria-valuetext', words(+input.value));
  input.addEventListener('input', () => {
    say();
    if (!view.isLive && typed()) typed().value = words(+input.value);
    view.tell(node.id, trait, +input.value);
  });
  input.addEventListener('keydown', event => {         // as far as in JupyterLab
    const by = {PageUp: 5, PageDown: -5}[event.key];
    if (!by) return;
    event.preventDefault();
    const before = input.value;
    by > 0 ? input.stepUp(by) : input.stepDown(-by);
    if (input.value !== before) input.dispatchEvent(new Event('input'));
  });
  return {el, input, set: {
    description: text => { named(el, text); input.ariaLabel = text; }, disabled: no => { input.disabled = no ?? false; },
    min: low => { input.min = low; }, max: high => { input.max = high; }, step: by => { input.step = by; },
    [trait]: value => { input.value = value ?? 0; say(); }}};
}

const ORDER = ['labels', 'min', 'max', 'step'];         // before the value, which keeps to them

function build(node, view) {
  const part = kinds[node.kind](node, view);
  part.el.classList.add(...node.classes ?? []);
  part.set.layout = layout => css(part.el, layout);
  part.set.style = style => { const label = part.el.querySelector('.widget-label'); if (label) label.style.width = style?.description_width === 'initial' ? '' : style?.description_width ?? ''; };
  bound.set(node.id, {...part, node});
  const first = name => ORDER.includes(name) ? 0 : 1;
  for (const name of Object.keys(node).sort((a, b) => first(a) - first(b))) if (name !== 'children') part.set[name]?.(node[name]);
  const typed = node.children?.[0]?.kind.endsWith('Slider') && part.el.querySelector(':scope > .widget-text input');
  if (typed) typed.ariaLabel = part.el.querySelector('.widget-label').textContent + ', typed';
  return part.el;
}

// what a control is set to now
const now = ({node, input, el}) => 'labels' in node
  ? (input ? (node.kind === 'Dropdown' ? input.selectedIndex : +input.value) : [...el.querySelectorAll('button')].findIndex(b => b.ariaPressed === 'true'))
  : node.kind === 'Checkbox' ? input.checked : node.kind === 'Text' ? input.value : input ? +input.value : undefined;

// what touch.js takes for the model of a widget
class Model {
  constructor(view, id) { Object.assign(this, {view, id, values: {}, heard: []}); }
  get(name) { return this.values[name]; }
  set(name, value) { this.values[name] = value; }
  save_changes() {}
  on(event, act) { this.heard.push([event, act]); }
  off() { this.heard = []; }
  send(content) { this.view.tell(this.id, 'said', content); }
  take(traits) {
    Object.assign(this.values, traits);
    for (const [event, act] of this.heard) if (event.replace('change:', '') in traits) act();
  }
}

// ---- a view

class View {
  constructor(el) {
    this.cell = el.dataset.cell;
    this.isLive = this.isBusy = this.isWanted = this.isMaking = false;
    this.queue = [];
    this.stored = el.querySelector('figure');
    this.stored.classList.add('kmlab-picture');
    this.place = make('div', 'live-picture', {}, this.stored);
    this.error = make('p', 'live-error', {role: 'alert', hidden: true});
    this.el = el;
    this.dress(page.views[this.cell]);
    this.stored.addEventListener('pointerdown', () => this.want());
  }

  dress(tree) {
    const had = document.activeElement?.id;
    this.el.replaceChildren(build(tree, this), this.error);
    if (had) document.getElementById(had)?.focus();
    this.shape = JSON.stringify(tree, ['kind', 'children', 'id']);
  }

  tell(id, trait, value) {
    if (VALUES.includes(trait)) this.queue = this.queue.filter(([other, name]) => other !== id || name !== trait);
    this.queue.push([id, trait, value]);
    this.isLive ? this.send() : this.want();
  }

  want() {
    if (!this.isLive) this.complain('');
    this.isWanted = true;
    python.start();
    next();
  }

  send() {                                            // one picture under way, one waiting: the last value wins
    if (this.isBusy || !this.queue.length) return;
    this.isBusy = true;
    python.post({answer: this.cell, events: this.queue.splice(0)});
    this.slow = setTimeout(() => this.note(running ? 'waiting for the exercise …' : 'drawing …'), SLOW);
  }

  note(words) {
    this.el.querySelector('.kmlab-waiting')?.remove();
    if (words) this.el.append(make('p', 'kmlab-note kmlab-waiting', {textContent: words}));
  }

  answered() {
    clearTimeout(this.slow);
    this.note('');
    this.isBusy = false;
    this.send();
  }

  made(tree) {
    this.isMaking = false;
    clearTimeout(this.slow);
    this.note('');
    this.complain('');
    const set = new Map();                            // by the reader, meanwhile or before a new start
    const each = node => { const part = bound.get(node.id); if (part) set.set(node.id, now(part)); node.children?.forEach(each); };
    each(tree);
    if (JSON.stringify(tree, ['kind', 'children', 'id']) !== this.shape) this.dress(tree);
    this.cleanUp?.();
    this.cleanUp = null;
    this.model.values = {};
    this.isLive = true;
    const compare = node => {
      const name = 'labels' in node ? 'index' : 'value', before = set.get(node.id), part = bound.get(node.id);
      if (before !== undefined && part.input !== undefined && before !== (node[name] ?? (name === 'index' || node.kind.endsWith('Slider') ? 0 : node.kind === 'Text' ? '' : false))
          && !this.queue.some(([id]) => id === node.id)) this.queue.push([node.id, name, before]);
      node.children?.forEach(compare);
    };
    compare(tree);
    this.send();
  }

  change(id, traits) {
    const part = bound.get(id);
    if (part?.node.kind === 'Picture') return this.show(traits);
    if (!part) return;
    Object.assign(part.node, traits);
    const first = name => ORDER.includes(name) ? 0 : 1;
    for (const name of Object.keys(traits).sort((a, b) => first(a) - first(b)))
      if (!VALUES.includes(name) || !this.queue.some(([other]) => other === id)) part.set[name]?.(traits[name]);
  }

  show(traits) {
    this.model.take(traits);
    if (this.cleanUp || !traits.scene) return;
    const el = make('div', 'live-canvas');
    this.place.append(el);
    el.addEventListener('kmlab-frame', () => {        // the first one takes the stored picture's place
      this.stored.hidden = true;
      this.place.querySelectorAll('.live-canvas').forEach(other => other !== el && other.remove());
    });
    this.cleanUp = touch.render({model: this.model, el});
  }

  complain(words) {
    this.error.textContent = words;
    this.error.hidden = !words;
  }
}

// ---- exercises

class Exercise {
  constructor(el) {
    this.cell = el.dataset.cell;
    this.original = page.cells.find(([id]) => id === this.cell)[1];
    this.then = el.dataset.then?.split(' ').filter(Boolean);           // of a homework: what looks at this answer
    this.key = `kmlab ${page.name} ${this.cell}`;
    this.editor = make('textarea', '', {value: kept(this.key) ?? this.original, spellcheck: false, autocapitalize: 'off', autocomplete: 'off'});
    this.editor.ariaLabel = 'Your answer, in Python';
    this.editor.setAttribute('aria-describedby', 'how-to-leave');
    this.run = make('button', 'main', {type: 'button', textContent: 'Run', title: 'Shift+Enter'});
    this.stop = make('button', '', {type: 'button', textContent: 'Stop', hidden: true});
    this.reset = make('button', '', {type: 'button', textContent: 'Reset', title: 'The cell as it was'});
    this.status = make('span', 'status', {role: 'status'});
    this.said = make('div', 'said');
    const hint = make('span', 'hint', {textContent: this.then ? HAND_IN : HOW});
    el.querySelector('.code').replaceWith(this.editor, make('div', 'buttons', {}, this.run, this.stop, this.reset, hint, this.status), this.said);
    this.editor.addEventListener('input', () => { this.fit(); keep(this.key, this.editor.value === this.original ? null : this.editor.value); });
    this.editor.addEventListener('keydown', event => this.press(event));
    this.run.addEventListener('click', () => this.go());
    this.stop.addEventListener('click', () => python.stop());
    this.reset.addEventListener('click', () => {
      this.write(0, this.editor.value.length, this.original);
      keep(this.key, null);
      this.said.replaceChildren();
    });
    this.fit();
  }

  fit() { this.editor.rows = Math.max(3, this.editor.value.split('\n').length + 1); }

  write(from, to, text) {                             // so that undo knows of it
    this.editor.focus();
    this.editor.setSelectionRange(from, to);
    if (!document.execCommand(text ? 'insertText' : 'delete', false, text)) {
      this.editor.setRangeText(text, from, to, 'end');
      this.editor.dispatchEvent(new Event('input'));
    }
  }

  press(event) {
    const {value, selectionStart: from, selectionEnd: to} = this.editor, start = value.lastIndexOf('\n', from - 1) + 1;
    if (event.key === 'Enter' && (event.shiftKey || event.ctrlKey || event.metaKey)) this.go();
    else if (event.key === 'Enter' && !event.altKey && !event.isComposing) {
      const line = value.slice(start, from), more = /:\s*(#.*)?$/.test(line) ? '    ' : '';
      this.write(from, to, '\n' + line.match(/^\s*/)[0] + more);
    } else if (event.key === 'Tab' && !this.leaving && !event.ctrlKey && !event.altKey) {
      const lines = value.slice(start, to), many = lines.includes('\n');
      if (event.shiftKey || many) {
        const end = to, shifted = lines.split('\n').map(line => event.shiftKey ? line.replace(/^ {1,4}/, '') : line && '    ' + line).join('\n');
        this.write(start, end, shifted);
        many ? this.editor.setSelectionRange(start, start + shifted.length)
             : this.editor.setSelectionRange(...[from, to].map(at => Math.max(start, at + shifted.length - lines.length)));
      } else this.write(from, to, ' '.repeat(4 - (from - start) % 4));
    } else if (event.key === 'Backspace' && from === to && from > start && /^ +$/.test(value.slice(start, from))) {
      this.write(from - ((from - start) % 4 || 4), from, '');
    } else {
      this.leaving = event.key === 'Escape' || (this.leaving && ['Shift', 'Tab'].includes(event.key));
      return;
    }
    this.leaving = false;
    event.preventDefault();
  }

  go() {
    if (running) return;
    running = this;
    this.said.replaceChildren();
    this.run.disabled = true;
    this.stop.hidden = false;
    this.status.textContent = python.isReady ? 'running …' : 'Python is starting …';
    python.start();
    if (python.isReady) this.send();
  }

  send() {
    this.status.textContent = 'running …';
    python.post({run: this.cell, source: this.editor.value, then: this.then ?? [],
                 answers: this.then ? exercises.map(({cell, editor}) => [cell, editor.value]) : []});
  }

  say(content, buffers) {
    const printed = this.said.lastElementChild;
    const picture = content['image/png'], words = content['text/markdown'] ?? content['text/plain'];
    if ('text' in content) {
      if (printed?.className === 'printed') printed.textContent += content.text;
      else this.said.append(make('pre', 'printed', {textContent: content.text, tabIndex: 0}));
    } else if ('error' in content) this.said.append(make('pre', 'printed wrong', {textContent: content.error, role: 'alert', tabIndex: 0}));
    else if (content['text/html']) this.said.append(make('div', 'shown-html', {innerHTML: content['text/html']}));
    else if (picture?.buffer !== undefined) this.said.append(make('img', '', {alt: 'The figure that your code made', src: URL.createObjectURL(new Blob([buffers[picture.buffer]], {type: 'image/png'}))}));
    else if (words) this.said.append(make('pre', 'printed', {textContent: words, tabIndex: 0}));
  }

  ended(words = '') {
    running = null;
    this.run.disabled = false;
    this.stop.hidden = true;
    this.status.textContent = words;
  }
}

function kept(key) { try { return localStorage.getItem(key); } catch { return null; } }
function keep(key, text) {
  try { text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text); }
  catch { bar.say('This browser keeps nothing for this page: copy your answers before you leave it.'); }
}

// ---- the bar, and Python

const bar = {
  el: document.querySelector('.live-bar div'),
  show(words, share) {
    this.el.classList.toggle('loading', share !== undefined);
    const progress = make('progress', '', {max: 1});
    progress.ariaLabel = 'Loading Python';
    if (share !== null && share !== undefined) progress.value = share;
    this.el.replaceChildren(...share === undefined ? [] : [progress], make('span', '', {textContent: words}));
  },
  offer(words, label) {
    const button = make('button', 'main', {type: 'button', textContent: label});
    button.addEventListener('click', () => { python.start(); bar.el.focus(); });
    this.el.classList.remove('loading');
    this.el.replaceChildren(button, make('span', '', {textContent: words}));
  },
  say(words) { spoken.textContent = words; },
};
const spoken = document.querySelector('.live-spoken');

const python = {
  worker: null, isReady: false,
  start() {
    if (this.worker) return;
    const worker = this.worker = new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});
    const heard = data => { if (worker === this.worker) hear(data); };     // one that was stopped may have last words
    worker.onmessage = ({data}) => heard(data);
    worker.onerror = event => { event.preventDefault(); heard({failed: 'start', words: event.message || 'the worker did not start'}); };
    this.post({start: {base, files: page.files, info: page.info, cells: page.cells}});
    bar.say('Python is being loaded.');
    bar.show('Loading Python, numpy, SciPy and matplotlib …', null);
  },
  post(message) { this.worker.postMessage(message); },
  end() {
    this.worker?.terminate();
    Object.assign(this, {worker: null, isReady: false});
    for (const view of views) {
      Object.assign(view, {isLive: false, isBusy: false, isWanted: false, isMaking: false});
      clearTimeout(view.slow);
      view.note('');
    }
  },
  stop() {
    this.end();
    running?.ended(STOPPED);
    bar.offer('', 'Make this page live');
  },
};

const find = id => views.find(view => id === view.cell || id.startsWith(view.cell + '.'));
const filled = (value, buffers) => {                   // {"buffer": n} is the n-th of the buffers
  if (value === null || typeof value !== 'object') return value;
  if ('buffer' in value && Object.keys(value).length === 1) return new DataView(buffers[value.buffer].buffer, buffers[value.buffer].byteOffset, buffers[value.buffer].byteLength);
  return value;
};

function hear(data) {
  if ('loaded' in data) bar.show(`Loading Python, numpy, SciPy and matplotlib: ${megabytes(data.loaded)} of ${megabytes(data.total)} MB`, data.loaded / data.total);
  else if (data.doing) bar.show(data.doing + ' …', null);
  else if (data.ready) {
    python.isReady = true;
    bar.show('This page is live: its pictures and exercises answer.');
    bar.say('This page is live.');
    running?.send();
    for (const view of views) near.observe(view.el);
    next();
  } else if (data.made) { find(data.made).made(data.tree); next(); }
  else if (data.changes)
    for (const [id, traits] of Object.entries(data.changes)) {
      for (const name in traits) traits[name] = filled(traits[name], data.buffers);
      for (const key in traits.pieces ?? {}) traits.pieces[key] = filled(traits.pieces[key], data.buffers);
      find(id)?.change(id, traits);
    }
  else if (data.answered) { find(data.answered).complain(''); find(data.answered).answered(); }
  else if (data.said) running?.say(data.said, data.buffers);
  else if (data.ran) running?.ended(running.said.childElementCount ? '' : NOTHING);
  else if (data.failed === 'start') {
    python.end();
    running?.ended('');
    bar.offer(`Python could not be loaded: ${data.words.replace(/\.?$/, '.')} Look at the connection, and try again.`, 'Try again');
    bar.say('Python could not be loaded.');
  } else if (data.failed) {
    const view = find(data.failed);
    if (view) view.complain(`Not drawn, the picture is the last good one: ${data.words}`);
    else running?.say({error: data.words});
    if (data.over) return python.stop();
    if (!view) return running?.ended();
    view.isMaking = view.isWanted = false;
    if (view.isLive) view.answered();
    next();
  }
}

let running = null;                                    // an exercise
const views = [...document.querySelectorAll('.live-view')].map(el => new View(el));
const exercises = [...document.querySelectorAll('.exercise')].map(el => new Exercise(el));
const near = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    const view = views.find(view => view.el === target);
    view.isNear = isIntersecting;
  }
  next();
}, {rootMargin: FORGIVEN + '% 0%'});

function next() {                                      // one view is made at a time: touched ones first, then those in sight
  if (!python.isReady || views.some(view => view.isMaking)) return;
  const rest = views.filter(view => !view.isLive && view.error.hidden), view = rest.find(view => view.isWanted) ?? rest.find(view => view.isNear);
  if (!view) return;
  view.isMaking = true;
  view.slow = setTimeout(() => view.note('drawing …'), SLOW);
  python.post({make: view.cell});
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = () => { document.documentElement.dataset.jpThemeLight = !dark.matches; };
dark.addEventListener('change', theme);
theme();
document.documentElement.classList.add('can-live');
bar.el.parentNode.hidden = !views.length && !exercises.length;
bar.offer(`Python and its packages are loaded into this browser, ${megabytes(page.size)} MB, once.`, 'Make this page live');
