/* A live picture in the page. The kernel sends numbers: points, lines, maps, and pieces that only matplotlib can draw.
   Here they are drawn in their order; points can be moved, added, removed and found again in other panels, and a panel
   in space can be turned, without waiting for the kernel. */
const GRAB = 13, STEP = 0.02, CLICK = 4;       // CSS pixels; share of a panel; CSS pixels
const IN_FLIGHT = 2;                           // questions on their way; of those that wait, moves of a point are one
const NARROW = 600, DENSE = 1.5;               // CSS pixels; screen pixels for each of them
const NEAR = 24;                               // CSS pixels around a point within which its mark and its ring lie
const INK = '#1b1b1b', PAPER = '#ffffff', BOX = '#bdbdbd';

const make = (tag, className, set = {}) => Object.assign(document.createElement(tag), {className, ...set});
const raw = view => new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength);
const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
const tables = new Map();

function table(text) {
  if (!tables.has(text)) tables.set(text, new Uint32Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer));
  return tables.get(text);
}

// ---- drawing

function mapPicture({shape: [n, m], finer, table: text}, values) {
  const rows = (n - 1) * finer + 1, columns = (m - 1) * finer + 1, colours = table(text), top = colours.length;
  const image = new ImageData(columns, rows), out = new Uint32Array(image.data.buffer);
  if (finer === 1) for (let k = 0; k < out.length; k++) out[k] = colours[values[k]];
  else {
    const row = new Float32Array(m + 1);
    for (let i = 0, k = 0; i < rows; i++) {
      const above = Math.floor(i / finer), share = i / finer - above, here = above * m, next = share ? here + m : here;
      for (let j = 0; j < m; j++) row[j] = top * (values[here + j] + share * (values[next + j] - values[here + j]));
      row[m] = row[m - 1];
      for (let j = 0; j < columns; j++, k++) {
        const left = Math.floor(j / finer), value = row[left] + (j / finer - left) * (row[left + 1] - row[left]);
        out[k] = colours[value < 0 ? 0 : value >= top ? top - 1 : value | 0];
      }
    }
  }
  const small = new OffscreenCanvas(columns, rows);
  small.getContext('2d').putImageData(image, 0, 0);
  return small;
}

function linePath(xy) {
  const path = new Path2D();
  for (let i = 0, down = false; i < xy.length; i += 2) {
    if (isNaN(xy[i]) || isNaN(xy[i + 1])) { down = false; continue; }
    // far beyond the picture a canvas counts too coarsely
    const x = clamp(xy[i], -1e5, 1e5), y = clamp(xy[i + 1], -1e5, 1e5);
    down ? path.lineTo(x, y) : path.moveTo(x, y);
    down = true;
  }
  return path;
}

function stroke(ctx, look, path) {
  if (look.fill) { ctx.fillStyle = look.fill; ctx.fill(path); }
  if (!look.stroke) return;
  ctx.strokeStyle = look.stroke; ctx.lineWidth = look.width;
  ctx.lineCap = look.cap === 'projecting' ? 'square' : look.cap ?? 'butt'; ctx.lineJoin = look.join ?? 'round';
  ctx.setLineDash(look.dash ?? []);
  ctx.stroke(path);
  ctx.setLineDash([]);
}

function mark(ctx, look, i, x, y) {
  if (isNaN(x) || isNaN(y)) return;
  const size = (look.each?.[i] ?? look.size) + (look.swell ? look.swell : 0);
  ctx.beginPath();
  for (const polygon of look.shape) {
    for (let k = 0; k < polygon.length; k += 2) ctx[k ? 'lineTo' : 'moveTo'](x + size * polygon[k], y + size * polygon[k + 1]);
    if (look.face || look.faces) ctx.closePath();
  }
  const face = look.faces ? look.faces[look.number?.[i] ?? 0] : look.face;
  if (face) { ctx.fillStyle = face; ctx.fill(); }
  if (look.edge) { ctx.strokeStyle = look.edge; ctx.lineWidth = look.width; ctx.lineJoin = 'miter'; ctx.stroke(); }
}

function words(ctx, {text, at, size, em, start: [x, y], fill}, glyph) {
  ctx.fillStyle = fill;
  [...text].forEach((letter, i) => {
    ctx.setTransform(size, 0, 0, size, x + em * at[i], y);
    ctx.fill(glyph(letter));
  });
  ctx.resetTransform();
}

// how matplotlib's camera sees a point of the box: [x, y, nearness]
function camera({camera: own, distance, focal, origin, scale}, turned) {
  const [elev, azim] = (turned ?? own).map(degrees => degrees * Math.PI / 180);
  const ce = Math.cos(elev), se = Math.sin(elev), ca = Math.cos(azim), sa = Math.sin(azim);
  return (x, y, z) => {
    const across = ca * y - sa * x, up = ce * z - se * (ca * x + sa * y), near = ce * (ca * x + sa * y) + se * z;
    const size = focal ? focal / (distance * focal - near) : 1 / distance;
    return [origin[0] + scale[0] * size * across, origin[1] - scale[1] * size * up, near];
  };
}

function drawSpace(ctx, space, see) {
  if (space.box) {
    const [a, b, c] = space.box, corner = k => see(k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c);
    ctx.beginPath();
    for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) {
      const [p, q] = [corner(k), corner(k | bit)];
      ctx.moveTo(p[0], p[1]); ctx.lineTo(q[0], q[1]);
    }
    ctx.strokeStyle = BOX; ctx.lineWidth = 1; ctx.stroke();
  }
  const seen = space.things.map(thing => {
    const points = [];
    for (let i = 0; i < thing.points.length; i += 3) points.push(see(thing.points[i], thing.points[i + 1], thing.points[i + 2]));
    return {thing, points, near: Math.max(...points.map(p => isNaN(p[2]) ? -9 : p[2]))};
  });
  seen.sort((p, q) => (q.thing.kind === 'line') - (p.thing.kind === 'line') || p.near - q.near);   // lines below all
  for (const {thing, points} of seen) {
    const byDepth = n => [...Array(n).keys()];
    if (thing.kind === 'line') {
      if (thing.line) stroke(ctx, thing.line, linePath(points.flatMap(p => [p[0], p[1]])));
      if (thing.marks) points.forEach((p, i) => mark(ctx, thing.marks, i, p[0], p[1]));
    } else if (thing.kind === 'marks')
      for (const i of byDepth(points.length).sort((i, j) => points[i][2] - points[j][2])) mark(ctx, thing, i, points[i][0], points[i][1]);
    else {
      const corners = thing.corners, far = i => { let sum = 0; for (let k = 0; k < corners; k++) sum += points[i * corners + k][2]; return sum; };
      for (const i of byDepth(points.length / corners).sort((i, j) => far(i) - far(j))) {
        ctx.beginPath();
        for (let k = 0; k < corners; k++) ctx[k ? 'lineTo' : 'moveTo'](...points[i * corners + k].slice(0, 2));
        ctx.closePath();
        ctx.fillStyle = thing.faces ? thing.faces[thing.number[i]] : thing.face ?? '#0000';
        ctx.fill();
        if (thing.edge) { ctx.strokeStyle = thing.edge; ctx.lineWidth = thing.width; ctx.stroke(); }
      }
    }
  }
}

function ring(ctx, x, y, r) {
  for (const [colour, width] of [[PAPER, 5], [INK, 2.5]]) {
    ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.strokeStyle = colour; ctx.lineWidth = width; ctx.stroke();
  }
}

// data to pixels and back
function maps({box: [x, y, w, h], xlim, ylim, xlog, ylog}) {
  const side = ([a, b], log) => log ? [Math.log(a), Math.log(b), Math.log, Math.exp] : [a, b, v => v, v => v];
  const [x0, x1, fx, gx] = side(xlim, xlog), [y0, y1, fy, gy] = side(ylim, ylog);
  return {to: (u, v) => [x + (fx(u) - x0) / (x1 - x0) * w, y + h - (fy(v) - y0) / (y1 - y0) * h],
          from: (p, q) => [gx(x0 + (p - x) / w * (x1 - x0)), gy(y0 + (y + h - q) / h * (y1 - y0))]};
}

// ---- what ipywidgets cannot be told: names of handles and typed numbers, a menu's own keys

function nameControls(view) {
  for (const box of view.querySelectorAll('.widget-slider')) {
    const label = box.querySelector('.widget-label').textContent, handle = box.querySelector('[role=slider]');
    const typed = box.parentNode.querySelector('input[type=text]');
    if (handle.ariaLabel !== label) handle.ariaLabel = label;
    if (!typed) continue;
    handle.ariaValueText = typed.value;
    typed.ariaLabel = label + ', typed';
  }
  for (const menu of view.querySelectorAll('select')) menu.dataset.lmSuppressShortcuts = true;
}

function render({model, el}) {
  const figure = make('figure', 'kmlab-picture'), canvas = make('canvas', ''), caption = make('figcaption', '');
  const spoken = make('div', 'kmlab-spoken', {ariaLive: 'polite'});
  canvas.dataset.lmSuppressShortcuts = true;   // JupyterLab leaves the keys to us
  figure.append(canvas, caption);
  el.append(figure, spoken);
  const ctx = canvas.getContext('2d', {alpha: false}), bitmaps = new Map();
  const me = Math.random().toString(36).slice(2), reply = () => model.get('hand').reply?.[me] ?? 0;
  let scene = null, layers = [], ground = null, order = 0, said, rooms = {};
  let hand = null, asked = 0, waiting = [], held = null, presses = [], pressedAt = null;
  let active = null, found = null, turned = {}, clock = null, turning = false, taken = null, due = false, frames = 0;

  // ---- the kernel's picture

  async function decode(key, content) {
    if (!bitmaps.has(key)) bitmaps.set(key, await createImageBitmap(new Blob([raw(content)], {type: 'image/png'})));
  }

  function keepSmall(key, content, [, , width, height]) {     // pixels as they are
    const small = new OffscreenCanvas(width, height);
    small.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(content), width, height), 0, 0);
    bitmaps.set(key, small);
  }

  async function take() {
    const next = model.get('scene');
    if (next === taken) { if (scene) { takeHand(); paint(); send(); } return; }
    if (!next.size) return;
    const mine = ++order, pieces = model.get('pieces'), content = raw(model.get('numbers'));
    taken = next;
    for (const {kind, key, box} of next.layers)
      if (kind === 'piece' && !bitmaps.has(key) && pieces[key].byteLength === 4 * box[2] * box[3]) keepSmall(key, raw(pieces[key]), box);
    const missing = Object.keys(pieces).filter(key => !bitmaps.has(key)), floor = 'ground ' + next.ground;
    if (missing.length || !bitmaps.has(floor)) {
      await Promise.all([...missing.map(key => decode(key, pieces[key])), decode(floor, model.get('backdrop'))]);
      if (mine !== order) return;
    }
    for (const key of bitmaps.keys()) if (!(key in pieces) && key !== floor && bitmaps.size > 60) bitmaps.delete(key);
    ground = bitmaps.get(floor);
    scene = next;
    const floats = ([start, count]) => new Float32Array(content.buffer, content.byteOffset + start, count);
    const aligned = content.byteOffset % 4 === 0 ? floats : place => new Float32Array(content.slice(place[0], place[0] + 4 * place[1]).buffer);
    const shorts = ([start, count]) => new Uint16Array(content.slice(start, start + 2 * count).buffer);
    const dress = look => {
      if (look.sizes) look.each = aligned(look.sizes);
      if (look.which) look.number = shorts(look.which);
      return look;
    };
    layers = scene.layers.map(given => {
      const layer = dress({...given});
      if (layer.xy) layer.points = aligned(layer.xy);
      if (layer.kind === 'lines') layer.path = linePath(layer.points);
      if (layer.kind === 'map') layer.picture = mapPicture(layer, layer.finer === 1
        ? content.subarray(layer.values[0], layer.values[0] + layer.values[1]) : aligned(layer.values));
      return layer;
    });
    for (const {space} of scene.panels) if (space) for (const thing of space.things) { dress(thing); thing.points = aligned(thing.xyz); }
    for (const i in turned) {      // the kernel's camera once it has answered, or has moved its own
      if (!held && !waiting.length && reply() >= asked && !turn.rest) delete turned[i];
    }
    if (canvas.width !== scene.size[0] || canvas.height !== scene.size[1]) {
      [canvas.width, canvas.height] = scene.size;
      Object.assign(canvas.style, {width: scene.size[0] / scene.sharp + 14 + 'px',
                                   minWidth: Math.round(scene.readable * scene.size[0] / scene.sharp) + 'px'});
      scrolled();
    }
    frames++;
    takeHand();
    tell();
    paint();
    send();
    clearTimeout(clock);
    if (model.get('pace') > 0 && scene.frame !== null) clock = setTimeout(() => model.send({tick: scene.frame}), 1000 * model.get('pace'));
    canvas.dispatchEvent(new CustomEvent('kmlab-frame', {bubbles: true, detail: scene}));
  }

  function takeHand() {            // the kernel's points, unless the reader has moved on since
    const theirs = model.get('hand');
    if (!theirs.X) { hand = null; return; }
    if (hand && (reply() < asked || held?.point !== undefined)) { Object.assign(hand, {...theirs, X: hand.X, labels: hand.labels}); return; }
    hand = {...theirs, X: theirs.X.map(x => [...x]), labels: [...theirs.labels]};
    if (active !== null) active = hand.X.length ? Math.min(active, hand.X.length - 1) : null;
  }

  function tell() {
    const words = model.get('caption'), view = el.closest('.kmlab-view'), isNew = words !== said || !rooms[canvas.width];
    const before = isNew && said !== undefined ? caption.offsetHeight : 0;      // measured only then: it takes time
    if (isNew) caption.textContent = words;
    const isSpace = scene.panels.some(panel => panel.space), classes = hand?.names?.length > 1 ? ', a digit sets its class' : '';
    const touch = [hand && 'Points can be moved: PageDown for the next one, arrows to move it'
                     + (hand.fixed ? '.' : `, Enter adds one, Delete removes it${classes}.`),
                   !hand && linked() && 'PageDown marks a point in all panels.',
                   isSpace && `Arrows turn what is in space${hand ? ' after the key T' : ''}.`].filter(Boolean).join(' ');
    canvas.setAttribute('role', touch ? 'application' : 'img');
    canvas.tabIndex = touch ? 0 : -1;
    canvas.ariaLabel = words + (touch ? ' ' + touch : '');
    if (!view) return;
    nameControls(view);
    if (!isNew) return;
    const place = canvas.width + ' in ' + caption.clientWidth;   // as much room as any words had here: nothing jumps
    const room = Math.max(caption.offsetHeight, place in rooms ? before : 0, rooms[place] ?? 0);
    rooms = {[place]: room, [canvas.width]: true};
    view.style.setProperty('--kmlab-room', room + 'px');
    if (said !== undefined && said !== words) spoken.textContent = words;
    said = words;
  }

  const linked = () => {
    const where = new Map();
    for (const {of, panel} of marks()) where.set(of, (where.get(of) ?? new Set()).add(panel));
    return [...where.values()].some(panels => panels.size > 1);
  };

  // ---- what is on the canvas

  const outlines = new Map();
  function glyph(letter) {
    if (!outlines.has(letter)) outlines.set(letter, new Path2D(model.get('glyphs')[letter]));
    return outlines.get(letter);
  }

  // every point with a row: {panel, of, row, x, y}
  function* marks() {
    for (const layer of layers) {
      if (layer.kind !== 'marks' || !(layer.of > 1) || (layer.moves && hand)) continue;
      for (let k = 0; 2 * k < layer.points.length; k++)
        yield {panel: layer.panel, of: layer.of, row: layer.rows?.[k] ?? k, x: layer.points[2 * k], y: layer.points[2 * k + 1]};
    }
    if (hand && scene) for (const panel of scene.edit ?? []) {
      const {to} = maps(scene.panels[panel]);
      for (let row = 0; row < hand.X.length; row++) { const [x, y] = to(...hand.X[row]); yield {panel, of: hand.X.length, row, x, y, moves: true}; }
    }
    for (const [panel, {space}] of scene.panels.entries()) if (space) {
      const see = camera(space, turned[panel]);
      for (const thing of space.things) if (thing.kind === 'marks' && thing.of > 1)
        for (let k = 0; 3 * k < thing.points.length; k++) {
          const [x, y] = see(...thing.points.subarray(3 * k, 3 * k + 3));
          yield {panel, of: thing.of, row: thing.rows?.[k] ?? k, x, y};
        }
    }
  }

  // all of it, or only around some places: marks far from there cost nothing
  function paint(places) {
    if (!scene) return;
    if (places) {
      const reach = Math.ceil(NEAR * scene.sharp);
      ctx.save();
      ctx.beginPath();
      for (const [x, y] of places) ctx.rect(Math.floor(x) - reach, Math.floor(y) - reach, 2 * reach, 2 * reach);
      ctx.clip();
    }
    paintAll();
    if (places) ctx.restore();
  }

  const placesOf = wanted => [...marks()].filter(wanted).map(({x, y}) => [x, y]);

  function paintAll() {
    ctx.drawImage(ground, 0, 0);
    const drawn = new Set();
    for (const layer of layers) {
      ctx.save();
      if (layer.clip) { ctx.beginPath(); ctx.rect(...layer.clip); ctx.clip(); }
      if (layer.space && turned[layer.panel]) drawSpace(ctx, scene.panels[layer.panel].space, camera(scene.panels[layer.panel].space, turned[layer.panel]));
      else if (layer.kind === 'piece') ctx.drawImage(bitmaps.get(layer.key), layer.box[0], layer.box[1]);
      else if (layer.kind === 'words') words(ctx, layer, glyph);
      else if (layer.kind === 'lines') stroke(ctx, layer, layer.path);
      else if (layer.kind === 'map') {
        ctx.imageSmoothingEnabled = false; ctx.globalAlpha = layer.alpha;
        ctx.drawImage(layer.picture, ...layer.box);
      } else if (layer.moves && hand) {
        const label = hand.names ? layer.moves - 1 : 0, {to} = maps(scene.panels[layer.panel]);
        drawn.add(layer.panel + ' ' + label);
        const first = layers.find(other => other.moves && other.panel === layer.panel) === layer;
        const isMine = i => hand.names ? hand.labels[i] === label : i < layer.of ? layer.rows.includes(i) : first;
        hand.X.forEach((x, i) => { if (isMine(i)) mark(ctx, layer, layer.rows.indexOf(i), ...to(...x)); });
      } else for (let k = 0; 2 * k < layer.points.length; k++) mark(ctx, layer, k, layer.points[2 * k], layer.points[2 * k + 1]);
      ctx.restore();
    }
    if (hand) for (const panel of scene.edit ?? []) hand.X.forEach((x, i) => {     // of a class that had no point
      const label = hand.names ? hand.labels[i] : 0;
      if (!drawn.has(panel + ' ' + label)) mark(ctx, model.get('looks')[label], i, ...maps(scene.panels[panel]).to(...x));
    });
    const shown = found ?? (active !== null && document.activeElement === canvas ? {of: hand ? hand.X.length : keys()?.of, row: active} : null);
    if (shown) {
      const same = [...marks()].filter(p => p.of === shown.of && p.row === shown.row);
      if (same.length > 1 || same[0]?.moves || document.activeElement === canvas)
        for (const {x, y} of same) ring(ctx, x, y, 9 * scene.sharp);
    }
  }

  // ---- questions: two on their way, moves of one point are one, nothing else is lost

  function ask(wish) {
    const last = waiting.at(-1);
    if (last && wish.do === last.do && wish.i === last.i && wish.panel === last.panel && (wish.do === 'move' || wish.do === 'turn')) waiting.pop();
    waiting.push(wish);
    send();
  }

  function send() {
    if (!waiting.length || asked - reply() >= IN_FLIGHT) return;
    model.send({wishes: waiting, page: me, number: ++asked});
    waiting = [];
  }

  const inFrame = x => x.map((v, k) => clamp(v, hand.frame[0][k], hand.frame[1][k]));
  const edits = {
    move(i, at) { const [x, y] = hand.X[i] = inFrame(at); ask({do: 'move', i, x, y}); },
    add(at, label) {
      if (hand.fixed || hand.X.length >= hand.most) return say(hand.fixed ? 'Points can be moved here, not added.' : `There are ${hand.most} points already.`);
      const [x, y] = inFrame(at);
      hand.X.push([x, y]); hand.labels.push(label);
      active = hand.X.length - 1;
      ask({do: 'add', x, y, label});
    },
    remove(i) {
      if (hand.fixed) return say('Points can be moved here, not removed.');
      hand.X.splice(i, 1); hand.labels.splice(i, 1);
      active = hand.X.length ? Math.min(i, hand.X.length - 1) : null;
      found = null;
      ask({do: 'remove', i});
    },
    relabel(i, label) { hand.labels[i] = label; ask({do: 'relabel', i, label}); },
  };

  // ---- mouse, pen and finger

  function onScreen() {                          // where the first pixel of the picture is, and how many make one of the window
    const box = canvas.getBoundingClientRect(), edge = canvas.clientLeft + parseFloat(getComputedStyle(canvas).paddingLeft);
    return {left: box.x + edge, top: box.y + edge, scale: canvas.width / (box.width - 2 * edge)};
  }

  function place(event) {
    const {left, top, scale} = held?.screen ?? onScreen(), x = (event.clientX - left) * scale, y = (event.clientY - top) * scale;
    const panel = scene.panels.findIndex(({box: [left, top, w, h]}) => x >= left && x <= left + w && y >= top && y <= top + h);
    return {x, y, panel, scale};
  }

  function nearest(at, wanted = () => true, reach = GRAB) {
    let best = null, least = (reach * at.scale) ** 2;
    for (const p of marks()) {
      if (p.panel !== at.panel || !wanted(p)) continue;
      const far = (p.x - at.x) ** 2 + (p.y - at.y) ** 2;
      if (far <= least) [best, least] = [p, far];
    }
    return best;
  }
  const isDead = () => el.closest('.kmlab-dead') !== null;    // the kernel is gone: found and turned, not moved
  const editable = panel => hand && !isDead() && scene.edit?.includes(panel);
  const data = at => maps(scene.panels[at.panel]).from(at.x, at.y);

  canvas.addEventListener('pointerdown', event => {
    if (!scene || event.button > 0) return;
    const at = place(event), reach = event.pointerType === 'touch' ? 2 * GRAB : GRAB;
    pressedAt = {...at, clientX: event.clientX, clientY: event.clientY};
    const point = editable(at.panel) ? nearest(at, p => p.moves, reach) : null;
    presses = [presses.at(-1), point !== null];
    if (point) { active = point.row; held = {point: active, panel: at.panel}; }
    else if (scene.panels[at.panel]?.space && event.isPrimary)
      held = {turn: at.panel, x: event.clientX, y: event.clientY};
    else if (editable(at.panel) && hand.pen && event.pointerType !== 'touch') held = {pen: at.panel, last: null};
    if (held) {
      held.screen = onScreen();                  // as long as nothing scrolls: asking each time costs a layout
      canvas.setPointerCapture?.(event.pointerId);
      canvas.classList.add('kmlab-held');
    }
    if (event.pointerType === 'touch') {         // a finger cannot rest above a point: it touches it
      const near = nearest(at, () => true, reach);
      found = near && {of: near.of, row: near.row};
    }
    if (canvas.tabIndex === 0) canvas.focus({preventScroll: true});
    event.preventDefault();
    paint();
  });
  canvas.addEventListener('touchstart', event => {   // a finger on a point or on something in space does not scroll
    if (!scene || event.touches.length > 1) return;
    const at = place(event.touches[0]);
    if (scene.panels[at.panel]?.space || (editable(at.panel) && (nearest(at, p => p.moves, 2 * GRAB) || hand.pen))) event.preventDefault();
  }, {passive: false});
  canvas.addEventListener('pointermove', event => {
    if (!scene) return;
    if (held?.point !== undefined && held.point < hand.X.length) {
      const at = place(event), box = scene.panels[held.panel], isHeld = p => p.row === held.point && p.of === hand.X.length;
      const before = placesOf(isHeld);
      edits.move(held.point, maps(box).from(at.x, at.y));
      return paint([...before, ...placesOf(isHeld)]);
    }
    if (held?.turn !== undefined) return turn(held.turn, (held.x - event.clientX) / 2, (event.clientY - held.y) / 2, held.x = event.clientX, held.y = event.clientY);
    const at = place(event);
    if (held?.pen !== undefined) {
      if (at.panel === held.pen && (!held.last || Math.hypot(at.x - held.last.x, at.y - held.last.y) > 14 * scene.sharp)) {
        edits.add(data(at), model.get('label')); held.last = at; paint();
      }
      return;
    }
    const point = nearest(at), was = found;
    found = point && {of: point.of, row: point.row};
    canvas.style.cursor = point?.moves ? 'grab' : editable(at.panel) && !hand.fixed ? 'crosshair' : scene.panels[at.panel]?.space ? 'move' : '';
    if (found?.row !== was?.row || found?.of !== was?.of) paint();
  });
  const release = event => {
    const was = held;
    held = null;
    canvas.classList.remove('kmlab-held');
    if (!was && pressedAt && event.type === 'pointerup' && editable(pressedAt.panel)
        && Math.hypot(event.clientX - pressedAt.clientX, event.clientY - pressedAt.clientY) < CLICK)
      { edits.add(data(pressedAt), model.get('label')); paint(); speak(); }
    if (was?.turn !== undefined) settle(was.turn);
    if (was?.pen !== undefined && !was.last) { edits.add(data(pressedAt), model.get('label')); paint(); }
    if (was?.point !== undefined) speak();
    pressedAt = null;
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', event => { if (found && !held && event.pointerType !== 'touch') { found = null; paint(); } });
  canvas.addEventListener('dblclick', event => {
    const at = place(event), point = editable(at.panel) && nearest(at, p => p.moves);
    if (point && presses.every(Boolean)) { edits.remove(point.row); paint(); speak(); }   // not what was just added
  });

  function turn(panel, azim, elev) {
    const now = turned[panel] ?? [...scene.panels[panel].space.camera];
    turned[panel] = [clamp(now[0] + elev, -90, 90), (now[1] + azim + 540) % 360 - 180];
    paint();
  }
  function settle(panel) {
    if (turned[panel] && !isDead()) ask({do: 'turn', panel, elev: turned[panel][0], azim: turned[panel][1]});
  }

  // ---- keys

  const say = words => { spoken.textContent = words; };
  const keys = () => { for (const p of marks()) return p; };
  function speak() {
    if (active === null) return;
    const x = hand?.X[active], name = hand?.names?.[hand.labels[active]];
    say(hand ? `point ${active + 1} of ${hand.X.length}${name === undefined ? '' : ', class ' + name}, at ${x.map(v => v.toPrecision(3)).join(', ')}`
             : `point ${active + 1} of ${keys().of}`);
  }

  canvas.addEventListener('keydown', event => {
    if (!scene || event.ctrlKey || event.metaKey || event.altKey || (hand && isDead())) return;
    const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1]}[event.key];
    const spaces = scene.panels.flatMap((p, i) => p.space ? [i] : []), n = hand ? hand.X.length : keys()?.of ?? 0;
    if (event.key.toLowerCase() === 't' && spaces.length && hand) { turning = !turning; say(turning ? 'arrows turn' : 'arrows move the point'); }
    else if (by && spaces.length && (!hand || turning)) {
      turn(spaces[0], -5 * by[0], 5 * by[1]);
      clearTimeout(turn.rest);
      turn.rest = setTimeout(() => { turn.rest = null; settle(spaces[0]); }, 250);
      say(`turned to ${Math.round(turned[spaces[0]][1])} degrees, ${Math.round(turned[spaces[0]][0])} above`);
    } else if (by && hand && n) {
      active ??= 0;
      const {xlim, ylim} = scene.panels[scene.edit[0]], far = STEP * (event.shiftKey ? 5 : 1);
      edits.move(active, [hand.X[active][0] + far * by[0] * (xlim[1] - xlim[0]), hand.X[active][1] + far * by[1] * (ylim[1] - ylim[0])]);
      speak();
    } else if ((event.key === 'PageDown' || event.key === 'PageUp') && n && (hand || linked())) {
      active = active === null ? 0 : (active + (event.key === 'PageDown' ? 1 : n - 1)) % n;
      speak();
    } else if (event.key === 'Enter' && hand) {
      const {xlim, ylim} = scene.panels[scene.edit[0]], beside = hand.X[active] ?? [(xlim[0] + xlim[1]) / 2, (ylim[0] + ylim[1]) / 2];
      edits.add([beside[0] + STEP * (xlim[1] - xlim[0]), beside[1] + STEP * (ylim[1] - ylim[0])], hand.labels[active] ?? model.get('label'));
      speak();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && hand && active !== null && n) { edits.remove(active); speak(); }
    else if (hand?.names?.[event.key - 1] !== undefined && active !== null && !hand.fixed) { edits.relabel(active, event.key - 1); speak(); }
    else if (event.key === 'Escape' && active !== null) active = null;
    else return;
    event.preventDefault(); event.stopPropagation();
    paint();
  });
  for (const kind of ['focus', 'blur']) canvas.addEventListener(kind, () => paint());

  // ---- the page: its width and the density of its screen

  const look = new ResizeObserver(() => {
    const view = el.closest('.kmlab-view'), narrow = view?.clientWidth < NARROW, dense = devicePixelRatio >= DENSE;
    if (!view?.clientWidth || !scene || (narrow === scene.stacked && dense === scene.dense)) return;
    model.send({room: {narrow, dense}});
  });
  requestAnimationFrame(() => { const view = el.closest('.kmlab-view'); if (view) look.observe(view); });

  canvas.kmlab = {                              // for who saves the notebook, and for tests: places in the window
    where(row, panel = scene.edit?.[0]) {
      const p = [...marks()].find(p => p.row === row && (panel === undefined || p.panel === panel)), {left, top, scale} = onScreen();
      return [left + p.x / scale, top + p.y / scale];
    },
    picture() {                                 // without the ring around a found point
      const rest = [found, active];
      [found, active] = [null, null];
      paint();
      const picture = canvas.toDataURL('image/png');
      [found, active] = rest;
      paint();
      return picture;
    },
    touched: () => frames > 1,                  // since the kernel stored its first picture
    size: () => scene.size.map(side => Math.round(side / scene.sharp)),
    state: () => ({hand, scene, asked, reply: reply(), waiting, active, found, turned}),
    box(panel) { const [x, y, w, h] = scene.panels[panel].box, {left, top, scale} = onScreen();
      return [left + x / scale, top + y / scale, w / scale, h / scale]; },
  };
  const scrolled = () => { if (held) held.screen = null; };
  addEventListener('scroll', scrolled, {capture: true, passive: true});
  const changed = () => {                       // once for all that came in a message
    if (!due) queueMicrotask(() => { due = false; take(); });
    due = true;
  };
  for (const part of ['scene', 'hand']) model.on('change:' + part, changed);
  model.on('change:pace', () => { if (!model.get('pace')) clearTimeout(clock); });
  take();
  return () => { look.disconnect(); clearTimeout(clock); removeEventListener('scroll', scrolled, {capture: true}); model.off(); };
}

export default {render};
