/* From cells to slides. What is on a slide is decided by what the cells say, never by the size of a screen or by how a
   formula is set, so that a slide has the same number everywhere, live and handed out.

   One idea a slide: a headline that states it, about forty words, one thing to look at. Prose beyond that goes to the
   speaker's notes. In a cell's metadata `"slideshow": {"whole": true}` keeps its text on the slide and `"headline": "..."`
   gives the slide on which it comes first another headline.

   kmlabPlan(cells, isLive) -> slides. A cell is {node, type, source, headline, whole}; its node holds the rendered
   markdown, or the code and its outputs. A slide has a headline, a figure or none, and states: what is shown beside the
   figure, one after the other. */
window.kmlabPlan = (() => {
  const WORDS = 40, LEAST_WORDS = 12;          // on a slide; beside a caption at least
  const LINES = 13.5, CODE_LINES = 14;         // of 24 pixels, beside a few lines of text; of code
  const COLUMNS = 78;                          // letters on a line of code
  const PRINTED = 2 * LINES;                   // of a long print-out, the beginning
  const HEADLINE = {from: 4, to: 24, letters: 130};
  const ASKS = /\b(move|drag|press|click|hover|turn|go (to|back)|switch|choose|raise|walk (through|with)|step through|play|clear it|yours|draw (a|another|your)|below are|below:)\b/i;
  const IS_EXERCISE = /^(Exercise )?\d+\.\d+\b/;

  const make = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    element.className = name;
    element.append(...inside);
    return element;
  };

  /* what a node says, without answers; a formula is one word, set or not */
  function text(node) {
    const copy = node.cloneNode(true);
    copy.querySelectorAll?.('details, .jp-InternalAnchorLink, .anchor-link, .tag, style').forEach(extra => extra.remove());
    copy.querySelectorAll?.('mjx-container, math').forEach(math => math.replaceWith('𝑥'));
    return copy.textContent.replace(/\$\$[^]*?\$\$/g, ' 𝑥 ').replace(/\$[^$]+\$/g, '𝑥').replace(/\s+/g, ' ').trim();
  }
  /* the same to be read, in a list: formulas as they are written */
  function said(node) {
    const copy = node.cloneNode(true);
    copy.querySelectorAll?.('.jp-InternalAnchorLink, .anchor-link, mjx-assistive-mml, annotation').forEach(extra => extra.remove());
    copy.querySelectorAll?.('math').forEach(math => math.replaceWith(math.textContent.replace(/\s+/g, '')));
    return copy.textContent.replace(/\$([^$]+)\$/g, (_, tex) => tex.replace(/\\[,;! ]/g, '').replace(/\\(\w+)/g, '$1')).replace(/\s+/g, ' ').trim();
  }
  const count = words => words.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length;
  const words = node => count(text(node));

  /* an equation's width in letters and its height in lines, from its source */
  function sizeOfMath(node) {
    node.dataset.tex ??= node.querySelector('math[alttext]')?.getAttribute('alttext') ?? node.textContent;
    const source = node.dataset.tex.replace(/\\tag\{.*?\}|\$\$/g, '');
    const letters = source.replace(/\\(text|operatorname|mathrm)\{([^}]*)\}/g, '$2').replace(/\\[a-zA-Z]+|\\./g, 'x')
      .replace(/[{}_^&\s]/g, '').length;
    const rows = (source.match(/\\\\/g) ?? []).length + 1;
    return {letters, lines: 1 + rows * 1.1 + (/\\(frac|sum|begin|max|min)/.test(source) ? 0.6 : 0)};
  }

  /* the bold words with which a paragraph may begin, and a sentence without them */
  const isLabel = sentence => sentence.firstChild?.tagName === 'STRONG' && /[.?!]$/.test(text(sentence.firstChild)) && text(sentence) === text(sentence.firstChild);
  function unlabelled(sentence) {
    const copy = sentence.cloneNode(true);
    if (copy.firstChild?.tagName === 'STRONG' && /[.?!]$/.test(text(copy.firstChild))) copy.firstChild.remove();
    return copy;
  }

  /* sentences of a paragraph get spans of their own, before its formulas are set */
  function sentences(paragraph) {
    const old = paragraph.querySelectorAll(':scope > .kd-s');
    if (old.length) return [...old];
    const nodes = [...paragraph.childNodes];
    const shown = nodes.map(node => node.nodeType === 3
      ? node.data.replace(/\$[^$]+\$/g, math => 'x'.repeat(math.length))
      : 'x'.repeat(Math.max(0, node.textContent.length - 1)) + (node.textContent.trim().at(-1) ?? ''));
    const line = shown.join('');
    const ends = [...line.matchAll(/[.!?][)"”]?\s+(?=[\p{Lu}\p{N}("“x])/gu)]
      .filter(({index}) => !/(^|[\s(.-])(\p{Lu}|e\.g|i\.e|cf|vs|etc)$/u.test(line.slice(Math.max(0, index - 5), index)))
      .map(({0: found, index}) => index + found.length);
    const spans = [make('span', 'kd-s')];
    let at = 0;
    nodes.forEach((node, i) => {
      const end = at + shown[i].length, cuts = ends.filter(cut => cut > at && cut < end);
      if (node.nodeType === 3) {
        let from = 0;
        for (const cut of cuts) {
          spans.at(-1).append(node.data.slice(from, cut - at));
          spans.push(make('span', 'kd-s'));
          from = cut - at;
        }
        spans.at(-1).append(node.data.slice(from));
      } else spans.at(-1).append(node);
      if (ends.includes(end)) spans.push(make('span', 'kd-s'));
      at = end;
    });
    const kept = spans.filter(span => span.textContent.trim()), [first, second] = kept;
    if (second && isLabel(first) && !paragraph.closest('li')) {       // says nothing alone
      second.prepend(...first.childNodes);
      kept.shift();
    }
    paragraph.replaceChildren(...kept);
    return kept;
  }

  /* ---- from cells to items, the smallest things that a slide can hold */

  const wrapped = (lines, columns = COLUMNS) => lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  const linesOf = node => {
    const rows = [...node.querySelectorAll('.cm-line')];
    return (rows.length ? rows.map(row => row.textContent).join('\n') : (node.matches('pre') ? node : node.querySelector('pre') ?? node).textContent)
      .replace(/\n+$/, '').split('\n');
  };

  /* of a print-out that would take many slides, the beginning, and how much there is */
  function shorten(node) {
    const all = linesOf(node), kept = [];
    if (wrapped(all) <= PRINTED) return;
    for (const line of all.map(line => line.length > 4 * COLUMNS ? line.slice(0, 4 * COLUMNS) + ' …' : line)) {
      if (wrapped([...kept, line]) > PRINTED - 1) break;
      kept.push(line);
    }
    if (kept.length < all.length) kept.push(`… and ${all.length - kept.length} more lines`);
    (node.querySelector('pre') ?? node).textContent = kept.join('\n');
  }

  /* rows of a table, each with the lines that it needs */
  function rowsOf(table) {
    const rows = [...table.querySelectorAll('tbody > tr, :scope > tr')], columns = rows[0]?.children.length ?? 1;
    const longest = [...Array(columns).keys()].map(i => Math.max(4, ...rows.map(row => text(row.children[i] ?? row).length)));
    const total = longest.reduce((sum, length) => sum + Math.min(length, 40), 0);
    return rows.map(row => ({row, lines: 0.45 + Math.max(1, ...[...row.children].map(
      (cell, i) => Math.ceil(text(cell).length / Math.max(6, 84 * Math.min(longest[i], 40) / total))))}));
  }

  function collect(cells) {
    const items = [];
    let section = null, breaks = false, remarks = [];
    const add = (kind, node, cell, more = {}) => {
      items.push({kind, node, cell, section, breaks, notes: remarks, ...more});
      breaks = false;
      remarks = [];
    };
    const remark = node => (items.length && !breaks ? items.at(-1).notes : remarks).push(node);
    const lines = (kind, node, cell, more = {}) => {
      if (kind === 'printed') shorten(node);
      const all = linesOf(node), most = kind === 'printed' ? LINES : CODE_LINES;
      const parts = Math.ceil(wrapped(all) / most);
      // listings that go on are parted evenly, at an empty line or a definition if one is near
      for (let part = 0, from = 0; part < parts; part++) {
        const left = all.slice(from), share = wrapped(left) / (parts - part);
        let end = from, used = 0;
        while (end < all.length && used + wrapped([all[end]]) <= Math.max(share + 0.5, 1)) used += wrapped([all[end++]]);
        if (part === parts - 1) end = all.length;
        else for (const back of [0, 1, 2, 3]) if (/^\s*(def |class |@|#|$)/.test(all[end - back] ?? '')) { end -= back; break; }
        end = Math.max(end, from + 1);
        add(kind, node, cell, {...more, from, to: end, parts, part, lines: wrapped(all.slice(from, end)), all});
        from = end;
      }
    };
    const prose = (rendered, cell, isCell) => {
      for (const child of rendered.children) {
        const table = child.matches('table') ? child : child.querySelector(':scope > table');
        const bare = text(child);
        if (isCell && /^H[1-6]$/.test(child.tagName)) {
          section = {level: +child.tagName[1], node: child, text: bare};
          breaks = true;
        } else if (child.tagName === 'DETAILS') {
          if (items.at(-1)?.kind === 'list') items.at(-1).answers = child;
          else remark(child);
        } else if (child.tagName === 'OL' || child.tagName === 'UL') {
          const all = [...child.children];
          if (child.tagName === 'OL') all.forEach((item, i) => { item.value = child.start + i; });
          const before = items.findLast(({kind}) => kind !== 'text'), isNumbered = child.tagName === 'OL';
          if (isNumbered && !breaks && before?.kind === 'figure' && before.section === section) add('list', child, cell, {all, isNumbered});
          else {                          // of a long list some at a time, evenly
            const size = each => words(each.querySelector('p, ul, ol') ? each : sentences(each)[0] ?? each);
            const whole = all.reduce((sum, each) => sum + size(each), 0), parts = Math.ceil(whole / (1.5 * WORDS));
            let group = [], used = 0, part = 0;
            const put = () => { add('list', child, cell, {all: group, isNumbered, part: part++, isPart: parts > 1}); group = []; used = 0; };
            for (const each of all) {
              if (group.length && (used + size(each) / 2 > whole / parts || used + size(each) > 1.5 * WORDS)) put();
              group.push(each);
              used += size(each);
            }
            if (group.length) put();
          }
        } else if (table && isCell && section?.level === 1 && items.every(item => item.section === section)) {
          remark(child);                                  // pages, files and minutes of a notebook
        } else if (table) {
          const isErratum = !isCell && /^E-/.test(text(table));
          const head = table.querySelector('thead') ? 1.3 : 0;
          let group = [], used = head;
          const rows = rowsOf(table), whole = rows.reduce((sum, {lines}) => sum + lines, 0);
          const parts = Math.ceil(whole / (LINES + 1)), share = whole / parts;
          const put = () => { add('table', table, cell, {rows: group.map(({row}) => row), all: rows.map(({row}) => row), lines: used, parts, isErratum}); group = []; used = head; };
          for (const row of rows) {
            if (group.length && !isErratum && used - head + row.lines / 2 > share) put();
            group.push(row);
            used += row.lines;
          }
          if (group.length) put();
        } else if (child.matches('pre, .code') || child.querySelector(':scope > pre')) {
          lines('code', child, cell, {isListing: true});
        } else if (child.querySelector('img, svg') && !bare) {
          add('figure', child, cell, {isStill: true});
        } else if (child.matches('.equation') || child.querySelector(':scope > .equation') || /^\$\$[^]*\$\$$/.test(child.textContent.trim())
                   || child.dataset?.tex || child.matches('p, div') && bare === '𝑥' && child.querySelector('[display=true], [display=block]')) {
          add('math', child, cell, sizeOfMath(child));
        } else if (['STYLE', 'SCRIPT', 'HR'].includes(child.tagName) || !bare) {
          continue;
        } else if (child.children.length === 1 && child.firstElementChild.tagName === 'EM' && text(child.firstElementChild) === bare
                   || /^For a second reading\./.test(bare)) {
          remark(child);                                  // "More in ...", "For a second reading."
        } else if (!isCell && /^kmlab\/\S+\.py$/.test(bare)) {
          remark(child);                                  // the file of a listing
        } else {
          const isExercise = IS_EXERCISE.test(bare) && child.querySelector('strong') !== null;
          add('text', child, cell, {sentences: child.matches('p') ? sentences(child) : [child], isExercise, whole: cell.whole || isExercise});
        }
      }
    };
    for (const cell of cells) {
      const {node, type} = cell, source = cell.source ?? '';
      const rendered = node.querySelector('.jp-MarkdownOutput'), input = node.querySelector('.jp-Cell-inputWrapper');
      if (type === 'skip') {
        if (/^check\(/m.test(source) && items.at(-1)?.isExercise) lines('code', input, cell, {isStub: true});
        continue;
      }
      if (type === 'notes') { remark(node); continue; }
      if (type === 'slide' || type === 'subslide') breaks = true;
      if (rendered) { prose(rendered, cell, true); continue; }
      if (!input) continue;                               // a raw cell is for another program
      const outputs = [...node.querySelectorAll('.jp-OutputArea-child')];
      const speaks = outputs.some(output => output.querySelector('img, .jupyter-widgets, .jp-RenderedMarkdown, .jp-RenderedHTML, canvas')
        || output.textContent.includes('✔'));
      if (!speaks && source.trim() || /^by hand/i.test(section?.text ?? '')) lines('code', input, cell);
      else cell.folded = true;
      outputs.forEach((output, number) => {
        const markdown = output.querySelector('.jp-RenderedMarkdown');
        if (markdown) prose(markdown, cell, false);
        else if (output.dataset.kind === 'figure') add('figure', output, cell, {number, isView: output.dataset.view !== undefined});
        else if (output.textContent.trim() && !/^check\(/m.test(source)) {
          const all = linesOf(output);
          if (all.some(line => line.startsWith('✔'))) add('claims', output, cell, {all, lines: all.length * 1.25});
          else lines('printed', output, cell);
        }
      });
    }
    if (!items.length) prose(make('div', '', make('p', '', 'There is nothing in this notebook yet.')), {node: make('div', ''), type: '-'}, false);
    items.at(-1).notes.push(...remarks);
    return items;
  }

  /* ---- from items to slides */

  const isThing = item => item.kind !== 'text';
  const isShort = item => item.kind === 'math' && item.letters <= 34;

  function fits(slide, item) {
    const things = slide.items.filter(isThing), figure = things.find(({kind}) => kind === 'figure');
    const isQuestions = item.kind === 'list' && item.isNumbered && slide.items.at(-1) === figure;
    const exercises = slide.items.filter(other => other.isExercise);
    if (item.isExercise) {                // short ones share a slide
      return exercises.length ? words(item.node) + exercises.reduce((sum, other) => sum + words(other.node), 0) <= WORDS
        && things.reduce((sum, other) => sum + cost(other), 0) < 7 : !things.length;
    }
    if (item.kind === 'text' || !things.length) return true;
    if (exercises.length) return item.isStub || item.kind === 'math';
    if (item.part > 0) return false;
    if (figure) {
      const afterQuestions = things.some(({kind}) => kind === 'list');
      return isQuestions || item.kind === 'claims' || item.kind === 'list' && item.isNumbered && !afterQuestions
        || item.kind === 'math' && isShort(item) && !afterQuestions && !things.some(({kind}) => kind === 'math');
    }
    if (item.kind === 'figure') {         // what its own cell claims, and little else
      const maths = things.filter(({kind, cell}) => kind !== 'claims' || cell !== item.cell);
      return things.length - maths.length < 2 && maths.every(({kind}) => kind === 'math')
        && (!maths.length || maths.length === 1 && maths[0].lines < 3.6 || maths.every(isShort) && maths.length === 2);
    }
    return things.reduce((sum, other) => sum + cost(other), 0) + cost(item) <= LINES;
  }

  const cost = item => item.kind === 'list' ? item.all.reduce((sum, each) => sum + 0.3 + Math.ceil(text(each).length / 84), 0)
    : item.lines + 0.4;

  function pack(items) {
    const slides = [];
    let slide = null;
    for (const item of items) {
      if (slide && !item.breaks && fits(slide, item)) { slide.items.push(item); continue; }
      const lead = [];                    // what was said just before goes with what it introduces
      if (slide && !item.breaks && slide.items.some(isThing))
        while (!isThing(slide.items.at(-1)) && slide.items.length > 1) lead.unshift(slide.items.pop());
      if (item.isErratum && slide && !item.breaks && !lead.length) {        // or what it is about, measured
        const from = slide.items.findLastIndex(({kind}) => kind === 'text'), tail = slide.items.slice(from);
        if (from > 0 && slide.items.slice(0, from).some(isThing) && !tail.some(({kind}) => kind === 'figure')
            && tail.filter(isThing).reduce((sum, other) => sum + cost(other), cost(item)) <= LINES) lead.push(...slide.items.splice(from));
        else if (slide.items.at(-1).kind === 'claims' && slide.items.length > 1 && !slide.items.some(({kind}) => kind === 'figure')
                 && cost(slide.items.at(-1)) + cost(item) <= LINES) lead.push(slide.items.pop());
      }
      slides.push(slide = {items: [...lead, item], section: item.section});
    }
    // what would leave a slide mostly empty goes with its neighbour of the same section
    const height = slide => slide.items.reduce((sum, item) => sum + (isThing(item) ? cost(item) : 0), 0)
      + Math.min(4, slide.items.reduce((sum, item) => sum + (isThing(item) ? 0 : words(item.node)), 0) / 13);
    const isLone = slide => slide.items.every(({kind, isExercise}) => kind !== 'figure' && !isExercise);
    for (let i = 1; i < slides.length; i++) {
      const [a, b] = [slides[i - 1], slides[i]];
      if (a.section !== b.section || !isLone(a) || !isLone(b) || Math.min(height(a), height(b)) > 5.5 || b.items[0].part > 0
          || b.items[0].breaks && b.items[0].cell.type === 'slide') continue;
      if ([...a.items, ...b.items].filter(isThing).reduce((sum, item) => sum + cost(item), 0) > LINES - 1) continue;
      if ([...a.items, ...b.items].reduce((sum, {kind, all}) => sum + (kind === 'list' ? all.reduce((s, each) => s + words(each), 0) : 0), 0) > 1.5 * WORDS) continue;
      a.items.push(...b.items);
      slides.splice(i--, 1);
    }
    slides.forEach((slide, i) => {        // a claim or an erratum is not alone: it has with it what it speaks of
      const before = slides[i - 1];
      if (slide.items.every(({kind, isErratum}) => kind === 'claims' || isErratum) && before?.section === slide.section) {
        const again = before.items.filter(({kind}) => kind === 'math').slice(-1);
        const figure = slide.items.reduce((sum, {lines}) => sum + lines, 0) < 8 ? before.items.find(({kind}) => kind === 'figure') : null;
        const said = before.items.filter(({kind}) => kind === 'text').slice(-1);
        slide.items.unshift(...(again.length ? again : figure ? [figure] : said).map(item => ({...item, notes: [], isAgain: true})));
      }
    });
    return slides;
  }

  /* ---- what is seen, what is said */

  const asks = sentence => ASKS.test(text(sentence));

  function choose(slide, isLive) {
    const texts = slide.items.filter(({kind}) => kind === 'text'), figure = slide.items.find(({kind}) => kind === 'figure');
    const caption = figure?.node.querySelector('.kd-caption, figcaption');
    const used = slide.items.reduce((sum, item) => sum + (item.kind === 'list' ? cost(item) : isThing(item) && item.lines || 0), 0);
    const image = figure?.node.querySelector('img'), isFlat = image && image.getAttribute('width') / image.getAttribute('height') > 2.6;
    let left = isFlat ? WORDS : figure ? Math.max(LEAST_WORDS, (slide.items.some(({kind}) => kind === 'math') ? WORDS / 2 : WORDS) - (caption ? words(caption) : 0)) : used > 9 ? WORDS * 0.6 : WORDS;
    const list = slide.items.find(({kind}) => kind === 'list');
    if (list && !figure) left = Math.max(words(list.node) > WORDS ? 0 : LEAST_WORDS, WORDS - 0.7 * words(list.node));
    slide.figure = figure ?? null;
    const seen = new Set();
    const exercise = texts.find(({isExercise}) => isExercise);
    const numbers = texts.filter(({isExercise}) => isExercise).map(item => text(item.node).match(/\d+\.\d+/)[0]);
    const told = new Set(texts.flatMap(item => item.isAgain ? item.sentences : []));      // of a picture on the slide before
    const isStill = !isLive && (figure ?? slide).isView;
    const askedInVain = sentence => (isStill || told.has(sentence)) && asks(sentence);
    const before = list && !figure && slide.items[slide.items.indexOf(list) - 1], opens = before?.sentences?.at(-1);
    if (opens && !/[.!?]$/.test(text(opens))) { seen.add(opens); left -= words(opens); }      // "When you are done you can"
    for (const item of texts) if (item.whole) item.sentences.forEach(sentence => { seen.add(sentence); left -= words(sentence); });
    // the headline: said by the author, or the first sentence that can stand there, or the section's name
    const marked = slide.items.find(({cell}) => cell.headline && !cell.said);
    const own = texts.filter(item => !item.isAgain), first = own[0]?.sentences[0];
    const canStand = sentence => {
      const said = text(unlabelled(sentence)), n = count(said);
      if (sentence.querySelector?.('mfrac') || /\\[dt]?frac/.test(sentence.textContent)) return false;      // too tall
      if (/\bour (copy|transcript)\b/.test(said)) return false;
      return n >= HEADLINE.from && n <= HEADLINE.to && said.length <= HEADLINE.letters && /[.!]$/.test(said) && /^[\p{Lu}\d𝑥(“]/u.test(said) && !askedInVain(sentence)
        && !/^(And|But|So|Then|It|They|Its|This|These|Here|That|Below|Above|For example)\b/.test(said) && !/\b(above|below)\b/i.test(said);
    };
    const isTitle = slide.section?.level === 1 && slide.isFirst;
    if (marked) { slide.headline = make('span', '', marked.cell.headline); marked.cell.said = true; }
    else if (exercise) slide.headline = make('span', '', (numbers.length > 1 ? 'Exercises ' : 'Exercise ') + numbers.join(', ').replace(/, ([^,]*)$/, ' and $1'));
    else if (!isTitle && slide.items.some(isThing) && (figure || slide.goesOn || used > 5.5 || texts.reduce((sum, item) => sum + words(item.node), 0) > 30)) {
      const found = first && canStand(first) ? first : slide.goesOn ? own.flatMap(item => item.sentences).find(canStand) : null;
      if (found && !seen.has(found)) { slide.headline = unlabelled(found); slide.lead = found; }
    }
    // what else is seen: the beginnings of all paragraphs first, then what follows them, as far as there is room
    const half = first && /^\p{Ll}/u.test(text(first)) && slide.items[0] === texts[0] && !texts[0].whole ? first : null;    // goes on after a formula
    const depth = Math.max(0, ...texts.map(item => item.sentences.length));
    const closed = new Set();
    for (let k = 0; k < depth; k++) for (const item of exercise ? [] : texts) {
      const sentence = item.sentences[k];
      if (!sentence || seen.has(sentence) || sentence === slide.lead || sentence === half || closed.has(item)) continue;
      if (words(sentence) < 4 && slide.items.some(isThing)) continue;           // "Step back."
      if (askedInVain(sentence)) continue;
      if (words(sentence) <= left) { seen.add(sentence); left -= words(sentence); }
      else closed.add(item);
    }
    slide.seen = seen;
    slide.states = states(slide, isLive);
    const unsaid = texts.filter(item => item.sentences.some(sentence => !seen.has(sentence))).map(item => item.node);
    slide.notes = [...unsaid, ...slide.items.flatMap(item => item.notes)];
    const last = slide.items.find(({kind, answers}) => kind === 'list' && answers);
    if (last) slide.notes.push(...(slide.asks ? [] : [last.node]), last.answers);
    slide.cells = [...new Set(slide.items.filter(item => !item.isAgain).map(item => item.cell))];
  }

  /* what stands beside the figure, or what is the slide where there is none: [[part, ...], ...] */
  function states(slide, isLive) {
    const {items, figure, seen} = slide, all = [[]];
    const texts = item => item.sentences.filter(sentence => seen.has(sentence));
    const groups = (pieces, size) => {
      const found = [];
      let left = -1;
      for (const piece of pieces) {
        if (!found.length || size(piece) > left) { found.push([]); left = WORDS; }
        found.at(-1).push(piece);
        left -= size(piece);
      }
      return found;
    };
    const later = [];
    for (const item of items) {
      if (item === figure) continue;
      if (item.kind === 'text') { if (texts(item).length) all[0].push({item, sentences: texts(item)}); }
      else if (figure && item.kind === 'list') {
        slide.asks = isLive || !figure.isView;
        if (slide.asks) later.push(...groups(item.all, words).map(group => [{item, group, answers: answersTo(item, group)}]));
      } else if (figure && item.kind === 'claims') {
        later.push(...groups(item.all, count).map(group => [{item, group}]));
      } else if (figure && item.isErratum) later.push([{item}]);
      else if (item.kind === 'list') {
        const isLong = item.all.reduce((sum, each) => sum + words(each), 0) > WORDS;
        if (isLong) { item.all.forEach(each => each.querySelector('p, ul, ol') ?? sentences(each)); item.notes.push(item.node); }
        all[0].push({item, group: item.all, isLong, answers: item.answers ? [item.answers] : []});
      }
      else if (item.kind === 'claims') all[0].push({item, group: item.all});
      else all[0].push({item});
    }
    const size = parts => parts.reduce((sum, {item, sentences, group}) => sum + (sentences ? sentences.reduce((s, each) => s + words(each), 0)
      : group ? group.reduce((s, each) => s + (each.nodeType ? words(each) : count(each)), 0) : item.kind === 'table' ? WORDS : 8), 0);
    const frames = [...figure?.node.querySelectorAll('.kd-frames > *') ?? []];
    for (const group of later) {          // few words need not wait, unless there are frames to go with them
      if (frames.length < 2 && size(all.at(-1)) + size(group) <= WORDS || !all.at(-1).length) all.at(-1).push(...group);
      else all.push(group);
    }
    if (frames.length > 1 && !isLive) {
      slide.frames = frames;
      while (all.length < frames.length) all.push(all.at(-1));
    }
    return all;
  }

  function answersTo(item, group) {
    const answers = [...item.answers?.querySelectorAll('ol > li') ?? []];
    if (!answers.length) return item.answers ? [item.answers] : [];
    return group.map(question => answers[item.all.indexOf(question)]).filter(Boolean);
  }

  /* names for all: no two slides in a row say the same above */
  function name(slides) {
    const plain = slide => slide.section ? said(slide.section.node) : '';
    slides.forEach((slide, i) => {
      const before = slides[i - 1];
      slide.name = slide.headline ? said(slide.headline) : plain(slide);
      const isTaken = slides.slice(0, i).some(other => other.name === slide.name);
      if (before && (isTaken || !slide.headline && slide.goesOn)) {
        const caption = slide.figure?.node.querySelector('.kd-caption, figcaption');
        const code = slide.items.find(({kind}) => kind === 'code');
        const named = code && code.all.slice(code.from, code.to).join('\n').match(/^\s*(?:def|class) (\w+)/m)?.[1];
        const rest = slide.items.find(({isErratum}) => isErratum) ? 'what the page says and what holds'
          : slide.items.some(({kind}) => kind === 'claims') ? 'measured' : named ? named
          : code ? 'goes on' : caption ? text(caption).split(/(?<=[.;:])\s/)[0].replace(/[.;:]$/, '').replace(/^Frame \d+ of \d+: /, '') : 'goes on';
        const base = plain(slide).replace(/[.?!:]$/, '');
        slide.name = [...base, ...rest].length < 95 || !caption ? `${base}: ${rest}` : rest;
        if (slides.slice(0, i).some(other => other.name === slide.name)) {
          let k = 2;
          while (slides.slice(0, i).some(other => other.name === `${slide.name} (${k})`)) k++;
          slide.name += ` (${k})`;
        }
        slide.headline = make('span', '', slide.name);
        slide.lead = null;
      }
    });
  }

  function plan(cells, isLive) {
    for (const cell of cells) cell.said = false;
    const slides = pack(collect(cells));
    const views = new Set(slides.flatMap(({items}) => items.filter(({isView}) => isView).map(({section}) => section)));
    slides.forEach((slide, i) => {
      slide.isFirst = i === 0;
      slide.isView = views.has(slide.section);            // or the picture it speaks of comes next
      slide.goesOn = i > 0 && slides[i - 1].section === slide.section;
      choose(slide, isLive);
    });
    name(slides);
    return slides;
  }
  return Object.assign(plan, {make, text, words, unlabelled});
})();
