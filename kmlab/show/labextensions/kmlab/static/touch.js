/* A live picture in the page. The kernel sends numbers: points, lines, maps, and pieces that only matplotlib can draw.
   Here they are drawn in their order; points can be moved, added, removed and found again in other panels, and a panel
   in space can be turned, without waiting for the kernel. */
const GRAB = 13, STEP = 0.02, CLICK = 4;       // CSS pixels; share of a panel; CSS pixels
const TWICE = 400;                             // milliseconds between two taps
const IN_FLIGHT = 2;                           // questions on their way; of those that wait, moves of a point are one
const NARROW = 600, DENSE = 1.5;               // CSS pixels; screen pixels for each of them
const NEAR = 24;                               // CSS pixels around a point within which its mark and its ring lie
const FEW = 8, PARTS = 4;                      // looks of a layer that are kept ready; places within a pixel for each
const FINEST = 65535;                          // the largest number of a map
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

const sheets = new Map();                           // of a size: filled again for each map

function mapPicture({shape: [n, m], finer, table: text}, values) {
  const rows = (n - 1) * finer + 1, columns = (m - 1) * finer + 1, colours = table(text), last = colours.length - 1;
  const unit = colours.length / FINEST;
  const size = columns + ' ' + rows;
  if (!sheets.has(size)) { if (sheets.size > 9) sheets.clear(); sheets.set(size, new ImageData(columns, rows)); }
  const image = sheets.get(size), out = new Uint32Array(image.data.buffer);
  if (finer === 1) for (let k = 0; k < out.length; k++) out[k] = colours[values[k]];
  else {
    const row = new Float32Array(m);
    for (let i = 0, k = 0; i < rows; i++) {
      const above = Math.floor(i / finer), share = i / finer - above, here = above * m, next = share ? here + m : here;
      for (let j = 0; j < m; j++) row[j] = unit * (values[here + j] + share * (values[next + j] - values[here + j]));
      for (let j = 0; j < m; j++) {
        const by = j < m - 1 ? (row[j + 1] - row[j]) / finer : 0;
        for (let part = 0, end = j < m - 1 ? finer : 1; part < end; part++, k++) {
          const value = row[j] + part * by;
          out[k] = colours[value < 0 ? 0 : value > last ? last : value | 0];
        }
      }
    }
  }
  const small = new OffscreenCanvas(columns, rows);
  small.getContext('2d').putImageData(image, 0, 0);
  return small;
}

function linePaths(xy, {fill, stroke}) {            // one, or, where nobody sees whether they lie on each other, one for
  const apart = !fill && stroke?.endsWith('ff'), paths = [new Path2D()];    // each part of the line: far sooner drawn
  for (let i = 0, down = false; i < xy.length; i += 2) {
    if (isNaN(xy[i]) || isNaN(xy[i + 1])) { if (down && apart) paths.push(new Path2D()); down = false; continue; }
    // far beyond the picture a canvas counts too coarsely
    const x = clamp(xy[i], -1e5, 1e5), y = clamp(xy[i + 1], -1e5, 1e5);
    down ? paths.at(-1).lineTo(x, y) : paths.at(-1).moveTo(x, y);
    down = true;
  }
  return paths;
}

function stroke(ctx, look, paths) {
  if (look.fill) { ctx.fillStyle = look.fill; for (const path of paths) ctx.fill(path); }
  if (!look.stroke) return;
  ctx.strokeStyle = look.stroke; ctx.lineWidth = look.width;
  ctx.lineCap = look.cap === 'projecting' ? 'square' : look.cap ?? 'butt'; ctx.lineJoin = look.join ?? 'round';
  ctx.setLineDash(look.dash ?? []);
  for (const path of paths) ctx.stroke(path);
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

// marks as ready pictures: sooner put down than drawn, where there are many
const ready = new Map();                           // all that a layer's marks look like -> those of them that are made

function named(look) {
  const name = JSON.stringify([look.shape, look.size, look.face, look.faces, look.edge, look.width, look.swell]);
  if (ready.size > 200) ready.clear();
  if (!ready.has(name)) ready.set(name, new Map());
  look.ready = ready.get(name);
  look.reach = Math.max(...look.shape.flat().map(Math.abs));
}

function stamp(look, i, part) {                    // part: how far right and down within a pixel, of PARTS each
  const size = look.each?.[i] ?? look.size, face = look.number?.[i] ?? 0, key = look.each ? face + ' ' + size : PARTS * PARTS * face + part;
  let picture = look.ready.get(key);
  if (!picture) {
    const half = Math.ceil((size + (look.swell || 0)) * look.reach + (look.edge ? 2 * look.width : 0)) + 2, small = new OffscreenCanvas(2 * half, 2 * half);
    mark(small.getContext('2d'), look, i, half + (part % PARTS) / PARTS, half + Math.floor(part / PARTS) / PARTS);
    picture = {image: small.transferToImageBitmap(), half};
    look.ready.set(key, picture);
  }
  return picture;
}

function marksAt(ctx, look, n, where) {            // where(k): [number, x, y] of the k-th that is drawn
  const many = n > 8 && !look.each && !(look.faces?.length > FEW);
  for (let k = 0; k < n; k++) {
    const [i, x, y] = where(k);
    if (!many) { mark(ctx, look, i, x, y); continue; }
    if (isNaN(x) || isNaN(y)) continue;
    const u = Math.round(PARTS * x), v = Math.round(PARTS * y), left = Math.floor(u / PARTS), top = Math.floor(v / PARTS);
    const {image, half} = stamp(look, i, u - PARTS * left + PARTS * (v - PARTS * top));
    ctx.drawImage(image, left - half, top - half);
  }
}

function words(ctx, {text, at, size, em, start: [x, y], fill}, glyph) {
  const before = ctx.getTransform();
  ctx.fillStyle = fill;
  [...text].forEach((letter, i) => {
    ctx.setTransform(size, 0, 0, size, before.e + x + em * at[i], before.f + y);
    ctx.fill(glyph(letter));
  });
  ctx.setTransform(before);
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

// the pixels that a box and the piece in its place can take, whichever way it is turned
function around({distance, focal, origin, scale, box, things}, {width, height}) {
  let far = box ? Math.hypot(...box) : 0;
  for (const {points} of things) for (let i = 0; i < points.length; i += 3) far = Math.max(far, Math.hypot(points[i], points[i + 1], points[i + 2]) || 0);
  const size = (focal ? focal / Math.max(distance * focal - far, 0.1) : 1 / distance) * far, room = 40;
  const [left, top] = [0, 1].map(k => Math.max(0, Math.floor(origin[k] - size * scale[k] - room)));
  return [left, top, Math.min(width, Math.ceil(origin[0] + size * scale[0] + room)) - left, Math.min(height, Math.ceil(origin[1] + size * scale[1] + room)) - top];
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
  const seen = space.things.map(thing => ({thing, ...project(thing, see)}));
  seen.sort((p, q) => (q.thing.kind === 'line') - (p.thing.kind === 'line') || p.nearest - q.nearest);   // lines below all
  for (const {thing, xy, near} of seen) {
    if (thing.kind === 'line') {
      if (thing.line) stroke(ctx, thing.line, linePaths(xy, thing.line));
      if (thing.marks) for (let i = 0; i < near.length; i++) mark(ctx, thing.marks, i, xy[2 * i], xy[2 * i + 1]);
    } else if (thing.kind === 'marks')
      for (const i of fromAfar(near)) {
        if (isNaN(near[i])) continue;
        const {image, half} = stamp(thing, i, 0);     // between pixels: nobody sees it in motion
        ctx.drawImage(image, xy[2 * i] - half, xy[2 * i + 1] - half);
      }
    else {
      const corners = thing.corners, far = new Float32Array(near.length / corners);
      for (let i = 0; i < near.length; i++) far[Math.floor(i / corners)] += near[i];
      if (thing.edge) { ctx.strokeStyle = thing.edge; ctx.lineWidth = thing.width; }
      for (const i of fromAfar(far)) {
        ctx.beginPath();
        for (let k = i * corners; k < (i + 1) * corners; k++) k > i * corners ? ctx.lineTo(xy[2 * k], xy[2 * k + 1]) : ctx.moveTo(xy[2 * k], xy[2 * k + 1]);
        ctx.closePath();
        ctx.fillStyle = thing.faces ? thing.faces[thing.number[i]] : thing.face ?? '#0000';
        ctx.fill();
        if (thing.edge) ctx.stroke();
      }
    }
  }
}

function project({points}, see) {                  // {xy, near: of each point, nearest: of all}
  const n = points.length / 3, xy = new Float32Array(2 * n), near = new Float32Array(n);
  let nearest = -9;
  for (let i = 0; i < n; i++) {
    const [x, y, z] = see(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    xy[2 * i] = x; xy[2 * i + 1] = y; near[i] = z;
    if (z > nearest) nearest = z;
  }
  return {xy, near, nearest};
}

function fromAfar(near) {                          // numbers of things, the farthest first
  const keys = Float64Array.from(near, (z, i) => Math.round((isNaN(z) ? -9 : z) * 1e6) * 65536 + i).sort();
  return keys.map(key => ((key % 65536) + 65536) % 65536);
}

function sheet(alpha, fill, [x, y, w, h]) {         // a part of the picture that is kept aside
  const whole = new OffscreenCanvas(w, h), ctx = whole.getContext('2d', {alpha});
  ctx.translate(-x, -y);
  fill(ctx);
  return whole;
}

function cropped(whole) {                          // its rows from the first that shows something to the last
  const {width, height} = whole, seen = new Uint32Array(whole.getContext('2d').getImageData(0, 0, width, height).data.buffer);
  const first = seen.findIndex(Boolean), last = seen.findLastIndex(Boolean);
  if (first < 0) return null;
  const top = Math.floor(first / width), rows = Math.floor(last / width) + 1 - top, part = new OffscreenCanvas(width, rows);
  part.getContext('2d').drawImage(whole, 0, -top);
  return {image: part, top};
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
  const air = make('div', 'kmlab-air', {ariaHidden: true});          // for what floats above the picture
  const spoken = make('div', 'kmlab-spoken', {ariaLive: 'polite'});
  canvas.dataset.lmSuppressShortcuts = true;   // JupyterLab leaves the keys to us
  figure.append(canvas, caption);
  el.append(figure, spoken);
  const ctx = canvas.getContext('2d', {alpha: false}), bitmaps = new Map();
  const me = Math.random().toString(36).slice(2), reply = () => read('hand').reply?.[me] ?? 0;
  let scene = null, layers = [], ground = null, order = 0, said, rooms = {};
  let hand = null, asked = 0, shown = 0, waiting = [], held = null, presses = [], pressedAt = null;
  let done = '', floating = [], tapped = null, stage = null, sent = [], trip = 0, later = null;
  let active = null, found = null, turned = {}, clock = null, turning = false, taken = null, due = false, frames = 0;

  // ---- the kernel's picture

  const texts = {};
  function read(name) {                           // a kernel sends text: what is in it need not be looked through on the way
    const sent = model.get(name);
    if (typeof sent !== 'string') return sent;
    if (texts[name]?.sent !== sent) texts[name] = {sent, content: JSON.parse(sent)};
    return texts[name].content;
  }

  async function decode(key, content) {
    if (!bitmaps.has(key)) bitmaps.set(key, await createImageBitmap(new Blob([raw(content)], {type: 'image/png'})));
  }

  function keepSmall(key, content, [, , width, height]) {     // pixels as they are
    const small = new OffscreenCanvas(width, height);
    small.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(content), width, height), 0, 0);
    bitmaps.set(key, small);
  }

  async function take() {
    const next = read('scene');
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
      if (look.shape) named(look);
      return look;
    };
    layers = scene.layers.map(given => {
      const layer = dress({...given});
      if (layer.xy) layer.points = aligned(layer.xy);
      if (layer.rows) layer.place = new Map(layer.rows.map((row, k) => [row, k]));
      if (layer.kind === 'lines') layer.paths = linePaths(layer.points, layer);
      if (layer.kind === 'map') layer.picture = mapPicture(layer, layer.finer === 1
        ? content.subarray(layer.values[0], layer.values[0] + layer.values[1]) : shorts(layer.values));
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
    if (floating.length) { if (held.point < hand?.X.length) float(); else put(); }
    paint();
    send();
    clearTimeout(clock);
    if (model.get('pace') > 0 && scene.frame !== null) clock = setTimeout(() => model.send({tick: scene.frame}), 1000 * model.get('pace'));
    canvas.dispatchEvent(new CustomEvent('kmlab-frame', {bubbles: true, detail: scene}));
  }

  function takeHand() {            // the kernel's points, unless the reader has moved on since
    const theirs = read('hand');
    shown = reply();
    answered();
    if (!theirs.X) { hand = null; return; }
    if (hand && (waiting.length || reply() < asked || held?.point !== undefined)) { Object.assign(hand, {...theirs, X: hand.X, labels: hand.labels}); return; }
    hand = {...theirs, X: theirs.X.map(x => [...x]), labels: [...theirs.labels]};
    if (active !== null) active = hand.X.length ? Math.min(active, hand.X.length - 1) : null;
  }

  function tell() {
    const words = model.get('caption'), view = el.closest('.kmlab-view');
    if (held && said !== undefined && rooms[canvas.width]) {     // measured, and spoken, when the hand rests
      if (caption.textContent !== words) caption.textContent = words;
      return;
    }
    const isNew = words !== said || !rooms[canvas.width];
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
    showClasses(view);
    if (!isNew) return;
    const place = canvas.width + ' in ' + caption.clientWidth;   // as much room as any words had here: nothing jumps
    const room = Math.max(caption.offsetHeight, place in rooms ? before : 0, rooms[place] ?? 0);
    rooms = {[place]: room, [canvas.width]: true};
    view.style.setProperty('--kmlab-room', room + 'px');
    if (said !== undefined && said !== words) {     // what the hand has just done is not talked over by what came of it
      spoken.textContent = done ? `${done}. ${words}` : words;
      done = '';
    }
    said = words;
  }

  function showClasses(view) {                   // the mark of each class on its button, as the picture draws it
    if (hand?.names) view.querySelectorAll('.kmlab-palette .widget-toggle-button').forEach((button, label) => {
      const look = layers.find(layer => layer.moves === label + 1) ?? model.get('looks')[label];
      if (!look || button.look === (look.ready ?? look)) return;
      const size = Math.min(look.size / scene.sharp, 16), outline = look.shape.map(polygon => `M${polygon.map(v => (size * v).toFixed(2))}Z`);
      const face = look.face ?? look.faces?.[0] ?? 'none';
      button.querySelector('svg')?.remove();
      button.insertAdjacentHTML('afterbegin', `<svg viewBox="-9 -9 18 18" aria-hidden="true"><path d="${outline.join('')}" fill="${face}" stroke="${look.edge ?? 'none'}"></path></svg>`);
      button.look = look.ready ?? look;
    });
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

  // which points in the hand a layer shows: those of its class, or, without classes, its rows and in the first layer new ones
  const first = panel => layers.find(layer => layer.moves && layer.panel === panel);
  const isMine = (layer, i) => hand.names ? hand.labels[i] === layer.moves - 1 : i < layer.of ? layer.place.has(i) : first(layer.panel) === layer;
  const lookOf = (panel, i) => {                // and its number in that look
    const layer = layers.find(layer => layer.moves && layer.panel === panel && isMine(layer, i));
    return layer ? [layer, layer.place.get(i) ?? -1] : [model.get('looks')[hand.names ? hand.labels[i] : 0], i];
  };
  const lifted = () => floating.length ? held.point : null;    // it floats above the picture

  function paint() {
    if (!scene) return;
    stage = null;
    ctx.drawImage(ground, 0, 0);
    for (const layer of layers) draw(ctx, layer);
    drawRest(ctx);
  }

  function draw(ctx, layer) {
    ctx.save();
    if (layer.clip) { ctx.beginPath(); ctx.rect(...layer.clip); ctx.clip(); }
    if (layer.space && turned[layer.panel]) drawSpace(ctx, scene.panels[layer.panel].space, camera(scene.panels[layer.panel].space, turned[layer.panel]));
    else if (layer.kind === 'piece') ctx.drawImage(bitmaps.get(layer.key), layer.box[0], layer.box[1]);
    else if (layer.kind === 'words') words(ctx, layer, glyph);
    else if (layer.kind === 'lines') stroke(ctx, layer, layer.paths);
    else if (layer.kind === 'map') {
      ctx.imageSmoothingEnabled = false; ctx.globalAlpha = layer.alpha;
      ctx.drawImage(layer.picture, ...layer.box);
    } else if (layer.moves && hand) {
      const {to} = maps(scene.panels[layer.panel]), mine = [];
      hand.X.forEach((x, i) => { if (i !== lifted() && isMine(layer, i)) mine.push([layer.place.get(i) ?? -1, ...to(...x)]); });
      marksAt(ctx, layer, mine.length, k => mine[k]);
    } else marksAt(ctx, layer, layer.points.length / 2, k => [k, layer.points[2 * k], layer.points[2 * k + 1]]);
    ctx.restore();
  }

  function drawRest(ctx) {                      // points of a class that had none, and the ring around what is found
    if (hand) for (const panel of scene.edit ?? []) hand.X.forEach((x, i) => {
      if (i === lifted() || layers.some(layer => layer.moves && layer.panel === panel && isMine(layer, i))) return;
      mark(ctx, ...lookOf(panel, i), ...maps(scene.panels[panel]).to(...x));
    });
    const shown = found ?? (active !== null && document.activeElement === canvas ? {of: hand ? hand.X.length : keys()?.of, row: active} : null);
    if (!shown) return;
    const same = [...marks()].filter(p => p.of === shown.of && p.row === shown.row);
    if (same.length > 1 || same[0]?.moves || document.activeElement === canvas)
      for (const {x, y, moves} of same) if (!(moves && lifted() === shown.row)) ring(ctx, x, y, 9 * scene.sharp);
  }

  // ---- what moves at the rate of the screen: nothing else is drawn again

  function lift() {                             // the held point, on a canvas of its own in every panel that shows it
    const side = 2 * NEAR * scene.sharp;
    for (const {panel} of [...marks()].filter(p => p.moves && p.row === held.point)) {
      const small = make('canvas', 'kmlab-floating', {width: side, height: side, ariaHidden: true}), ctx = small.getContext('2d');
      mark(ctx, ...lookOf(panel, held.point), side / 2, side / 2);
      ring(ctx, side / 2, side / 2, 9 * scene.sharp);
      air.append(small);
      floating.push({panel, small});
    }
    Object.assign(air.style, {width: canvas.offsetLeft + canvas.offsetWidth + 'px', height: canvas.offsetTop + canvas.offsetHeight + 'px'});
    figure.append(air);
    float();
  }

  function float() {
    held.screen ??= onScreen();
    const {scale, inset} = held.screen, reach = NEAR * scene.sharp, width = 2 * reach / scale + 'px';
    for (const {panel, small} of floating) {
      const [x, y] = maps(scene.panels[panel]).to(...hand.X[held.point]);
      if (small.style.width !== width) small.style.width = width;
      small.style.transform = `translate(${inset[0] + (x - reach) / scale}px, ${inset[1] + (y - reach) / scale}px)`;
    }
  }

  function put() { for (const {small} of floating.splice(0)) small.remove(); air.remove(); }

  function paintTurned(panel) {                 // between what is below and what is above it
    const at = layers.findIndex(layer => layer.space && layer.panel === panel);
    if (stage?.at !== at) {
      const box = around(scene.panels[panel].space, canvas);
      const below = sheet(false, ctx => { ctx.drawImage(ground, 0, 0); for (const layer of layers.slice(0, at)) draw(ctx, layer); }, box);
      const above = sheet(true, ctx => { for (const layer of layers.slice(at + 1)) draw(ctx, layer); drawRest(ctx); }, box);
      stage = {at, box, below, above: cropped(above)};
    }
    const {space} = scene.panels[panel], {box: [x, y, w, h], below, above} = stage;
    ctx.save();
    ctx.beginPath(); ctx.rect(x, y, w, h); ctx.clip();
    ctx.drawImage(below, x, y);
    drawSpace(ctx, space, camera(space, turned[panel]));
    if (above) ctx.drawImage(above.image, x, y + above.top);
    ctx.restore();
  }

  // ---- questions: two on their way, moves of one point are one, nothing else is lost

  function ask(wish) {
    const last = waiting.at(-1);
    if (last && wish.do === last.do && wish.i === last.i && wish.panel === last.panel && (wish.do === 'move' || wish.do === 'turn')) waiting.pop();
    waiting.push(wish);
    send();
  }

  function send(most = IN_FLIGHT) {
    clearTimeout(later);
    if (!waiting.length || asked - reply() >= most) return;
    // the second sets out when the first must be half way: it finds the kernel free, and what is held is not far ahead
    const wait = held && asked > reply() ? sent.at(-1) + trip / 2 - performance.now() : 0;
    if (wait > 0) { later = setTimeout(send, wait); return; }
    sent.push(performance.now());
    const wishes = waiting;
    waiting = [];
    try { model.send({wishes, page: me, number: ++asked}); } catch { /* the kernel is gone, as the view says itself */ }
  }

  function answered() {                          // how long it took, on average
    while (sent.length > asked - reply()) {
      const taken = performance.now() - sent.shift();
      trip = trip ? 0.7 * trip + 0.3 * taken : taken;
    }
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
      if (held?.point !== undefined) letGo();      // whose number may be that of another now
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
    return {left: box.x + edge, top: box.y + edge, scale: canvas.width / (box.width - 2 * edge),
            inset: [canvas.offsetLeft + edge, canvas.offsetTop + edge]};
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
  const isAnother = event => held?.id !== undefined && held.id !== event.pointerId;   // a second finger
  const isDead = () => el.closest('.kmlab-dead') !== null;    // the kernel is gone: found and turned, not moved
  const editable = panel => hand && !isDead() && scene.edit?.includes(panel);
  const data = at => maps(scene.panels[at.panel]).from(at.x, at.y);

  canvas.addEventListener('pointerdown', event => {
    if (!scene || event.button > 0 || isAnother(event)) return;
    put();
    held = null;
    const at = place(event), reach = event.pointerType === 'touch' ? 2 * GRAB : GRAB;
    pressedAt = {...at, clientX: event.clientX, clientY: event.clientY};
    const point = editable(at.panel) ? nearest(at, p => p.moves, reach) : null;
    presses = [presses.at(-1), point !== null];
    if (point) { active = point.row; held = {point: active, panel: at.panel}; }
    else if (scene.panels[at.panel]?.space && event.isPrimary)
      held = {turn: at.panel, x: event.clientX, y: event.clientY};
    else if (editable(at.panel) && hand.pen) held = {pen: at.panel, last: null};
    if (held) {
      Object.assign(held, {id: event.pointerId, from: point && [...hand.X[active]]});
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
    if (point) lift();
    paint();
  });
  canvas.addEventListener('touchstart', event => {   // a finger on a point or on something in space does not scroll
    if (!scene || event.touches.length > 1) return;
    const at = place(event.touches[0]);
    if (scene.panels[at.panel]?.space || (editable(at.panel) && (nearest(at, p => p.moves, 2 * GRAB) || hand.pen))) event.preventDefault();
  }, {passive: false});
  canvas.addEventListener('pointermove', event => {
    if (!scene || isAnother(event)) return;
    if (held?.point !== undefined && isDead()) { letGo(); return paint(); }
    if (held?.point !== undefined && held.point < hand.X.length) {
      const at = place(event);
      edits.move(held.point, maps(scene.panels[held.panel]).from(at.x, at.y));
      return float();
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
  function letGo() {
    put();
    held = null;
    canvas.classList.remove('kmlab-held');
    send(IN_FLIGHT + 1);                         // where it comes to rest waits for no answer
  }
  const release = event => {
    if (isAnother(event)) return;
    const was = held, finger = event.pointerType === 'touch';
    const still = pressedAt && event.type === 'pointerup'
      && Math.hypot(event.clientX - pressedAt.clientX, event.clientY - pressedAt.clientY) < (finger ? 3 : 1) * CLICK;
    letGo();
    if (!was && still && editable(pressedAt.panel))
      { edits.add(data(pressedAt), model.get('label')); paint(); speak(); }
    if (was?.turn !== undefined) settle(was.turn);
    if (was?.pen !== undefined && !was.last) { edits.add(data(pressedAt), model.get('label')); paint(); }
    if (was) tell();
    if (was?.point !== undefined && finger && still) {       // a second tap; a browser tells of none where nothing scrolls
      const again = tapped?.point === was.point && event.timeStamp - tapped.time < TWICE;
      if (again) edits.remove(was.point);
      tapped = again ? null : {point: was.point, time: event.timeStamp};      // a third tap is on another point
    }
    if (was?.point !== undefined) { paint(); speak(); }
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
    paintTurned(panel);
  }
  function settle(panel) {
    if (turned[panel] && !isDead()) ask({do: 'turn', panel, elev: turned[panel][0], azim: turned[panel][1]});
  }

  // ---- keys

  const say = words => { spoken.textContent = done = words; };
  const keys = () => { for (const p of marks()) return p; };
  function speak() {
    if (hand && !hand.X.length) return say('There are no points; Enter adds one.');
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
    } else if (event.key.startsWith('Page') && hand && !n) speak();
    else if (event.key === 'Enter' && hand) {
      const {xlim, ylim} = scene.panels[scene.edit[0]], beside = hand.X[active] ?? [(xlim[0] + xlim[1]) / 2, (ylim[0] + ylim[1]) / 2];
      edits.add([beside[0] + STEP * (xlim[1] - xlim[0]), beside[1] + STEP * (ylim[1] - ylim[0])], hand.labels[active] ?? model.get('label'));
      speak();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && hand && active !== null && n) { edits.remove(active); speak(); }
    else if (hand?.names?.[event.key - 1] !== undefined && active !== null && !hand.fixed) { edits.relabel(active, event.key - 1); speak(); }
    else if (event.key === 'Escape' && held?.from && held.point < hand?.X.length) {      // back to where it was
      edits.move(held.point, held.from);
      letGo(); pressedAt = null;
    }
    else if (event.key === 'Escape' && active !== null) active = null;
    else return;
    event.preventDefault(); event.stopPropagation();
    paint();
  });
  for (const kind of ['focus', 'blur']) canvas.addEventListener(kind, () => { done = ''; paint(); });

  // ---- the page: its width and the density of its screen

  const look = new ResizeObserver(() => {
    const view = el.closest('.kmlab-view'), narrow = view?.clientWidth < NARROW, dense = devicePixelRatio >= DENSE;
    if (view && scene) { nameControls(view); showClasses(view); }     // they may have come after the picture
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
      const rest = [found, active, floating];
      [found, active, floating] = [null, null, []];
      paint();
      const picture = canvas.toDataURL('image/png');
      [found, active, floating] = rest;
      paint();
      return picture;
    },
    touched: () => frames > 1,                  // since the kernel stored its first picture
    size: () => scene.size.map(side => Math.round(side / scene.sharp)),
    state: () => ({hand, scene, asked, reply: shown, waiting, active, found, turned, label: model.get('label')}),
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
