"""The static site: complete, without an address outside, readable by all, on a desk and on a phone; in Chromium."""

import contextlib
import functools
import html
import http.server
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse
from xml.etree import ElementTree

import browser
import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from fontTools.ttLib import TTFont

from publish import reference, site

NAMES = ["index", *(path.stem for path in site.all_notebooks()), "errata", "gallery", "coverage", "beside"]
NAMES += ["recipes", "reference", *reference.GROUPS, "licences"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    site.build(folder)
    return folder


@pytest.fixture(scope="module")
def page(folder):
    """A browser page whose address bar knows {name}.html; whatever leaves this machine is refused and noted."""
    if not browser.find_chromium():
        pytest.skip("needs Chromium or Chrome")
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser.chromium_page() as page:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.address = f"http://127.0.0.1:{server.server_port}/"
        page.refused, page.complaints = [], []

        def only_here(route):
            if urlparse(route.request.url).hostname == "127.0.0.1":
                return route.continue_()
            page.refused.append(route.request.url)
            return route.abort()

        page.route("**/*", only_here)
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("requestfailed", lambda request: page.complaints.append(request.url))
        yield page
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def handle(self):
        with contextlib.suppress(ConnectionError):
            super().handle()


def visit(page, name):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{page.address}{name}.html")
    page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    page.wait_for_function("[...document.images].every(image => image.complete)")
    page.evaluate("document.fonts.ready.then(() => null)")


class Targets(HTMLParser):
    """What a page links to and offers, by attribute."""

    def __init__(self, text):
        super().__init__()
        self.href, self.src, self.id, self.alt, self.levels = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for name in ("href", "src", "id"):
            if name in attrs:
                getattr(self, name).append(attrs[name])
        if tag == "img":
            self.alt.append(attrs.get("alt"))
        if re.fullmatch(r"h\d", tag):
            self.levels.append(int(tag[1]))


@pytest.fixture(scope="module")
def targets(folder):
    return {path.stem: Targets(path.read_text(encoding="utf-8")) for path in folder.glob("*.html")}


def test_every_notebook_and_every_generated_page_is_there(folder, targets):
    assert set(targets) == set(NAMES)
    for name in NAMES[1:]:
        assert f"{name}.html" in targets["index"].href


def test_every_link_leads_to_a_file_of_the_site_and_to_a_place_in_it(folder, targets):
    for name, found in targets.items():
        assert len(found.id) == len(set(found.id)), f"{name}: two places of one name"
        for target in found.href + found.src:
            if target.startswith("data:,"):
                continue
            assert not urlparse(target).scheme, f"{name}: {target} is outside"
            path, _, anchor = target.partition("#")
            assert not path or (folder / path).exists(), f"{name}: {target}"
            if anchor:
                assert unquote(anchor) in targets[Path(path).stem if path else name].id, f"{name}: {target}"


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years", encoding="utf-8")
    with pytest.raises(ValueError, match="holds something else than this site, which would be lost"):
        site.build(tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def test_the_licence_of_the_font_is_there(folder):
    text = (folder / "licences.html").read_text(encoding="utf-8")
    assert re.search(r"STIX Two Math</td>\s*<td>2\.\d+</td>\s*<td>OFL-1\.1", text) and "SIL Open Font License" in text


def test_headings_go_down_one_level_at_a_time(targets):
    for name, found in targets.items():
        assert found.levels[0] == 1 and found.levels.count(1) == 1, name
        assert all(b <= a + 1 for a, b in zip(found.levels, found.levels[1:], strict=False)), name


def test_every_picture_says_what_it_shows(targets):
    for name, found in targets.items():
        assert all(alt and len(alt.split()) >= 4 for alt in found.alt), (name, found.alt)


def test_all_pictures_of_a_notebook_and_no_warning_came_along(folder):
    for path in site.all_notebooks():
        text = (folder / f"{path.stem}.html").read_text(encoding="utf-8")
        stored = path.read_text(encoding="utf-8")
        pictures, frames = stored.count('"image/png": "'), stored.count('src=\\"data:image/png')
        assert text.count('src="images/') == frames >= pictures
        assert text.count('class="strip"') == stored.count("kmlab-strip")
        assert not re.search(r"Warning|Traceback|not attempted yet", text), path.stem


def test_every_formula_became_mathml(folder):
    for path in folder.glob("*.html"):
        text = re.sub(r"<pre.*?</pre>|<code.*?</code>|<[^>]+>", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert not re.search(r"\$|\\[a-zA-Z]", text), (path.stem, re.search(r".{30}(\$|\\[a-zA-Z]).{30}", text))


def test_every_formula_is_whole_and_keeps_its_punctuation(folder):
    parts = {"msup": 2, "msub": 2, "munder": 2, "mover": 2, "mfrac": 2, "msubsup": 3, "munderover": 3}
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        for formula in set(re.findall(r"<math.*?</math>", text, re.S)):
            for element in ElementTree.fromstring(formula).iter():
                kind = element.tag.split("}")[-1]
                assert kind not in parts or len(element) == parts[kind], (path.stem, formula)
                assert element.get("mathvariant") in (None, "normal"), (path.stem, formula)  # browsers know no other
        assert not re.search(r'(?<!<span class="whole">)<math [^>]*inline(?:(?!</math>).)*</math>[.,;:?!]', text)


@pytest.mark.parametrize(
    "tex, shown",
    [
        (r"2\ln 2", "2 ln 2"),
        (r"\ln(2)", "ln(2)"),
        (r"\cos^2x", "cos2 x"),
        (r"\tfrac12\log x", "12 log x"),
        (r"P(-1)", "P(⁻1)"),
        (r"2 - 1", "2−1"),
        (r"(x) - 1", "(x)−1"),
        (r"\|x\| - 1", "‖x‖−1"),
        (r"p(x|-1)", "p(x|⁻1)"),
        (r"a = -b", "a=⁻b"),
        (r"\mathbf 1", "𝟏"),
        (r"\mathbb E", "𝔼"),
        (r"x'", "x′"),
        (r"w \sim N", "w∼N"),
    ],
)
def test_formulas_are_set_as_tex_sets_them(tex, shown):
    root = ElementTree.fromstring(site.formula(tex))
    for element in root.iter():
        if element.get("form") == "prefix" and element.text == "−":
            element.text = "⁻"
        element.text = " " if element.tag.endswith("mspace") else element.text
    assert "".join(root.itertext()) == shown


def test_no_root_leaves_a_gap_behind_it(folder):
    font = TTFont(folder / "math.woff")
    forms = font["MATH"].table.MathVariants
    root = forms.VertGlyphConstruction[forms.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])]
    widths = {font["hmtx"][record.VariantGlyph][0] for record in root.MathGlyphVariantRecord}
    assert len(widths | {font["hmtx"][record.glyph][0] for record in root.GlyphAssembly.PartRecords}) == 1


def test_what_a_cell_prints_in_pieces_is_one_piece():
    said = [
        {"output_type": "stream", "text": ["a\n", "b\n"]},
        {"output_type": "stream", "text": ["c\n"]},
        {"output_type": "display_data", "data": {}},
        {"output_type": "stream", "text": ["d\n"]},
    ]
    assert ["".join(output.get("text", "")) for output in site.joined(said)] == ["a\nb\nc\n", "", "d\n"]


def test_the_font_of_formulas_has_every_sign_of_them(folder):
    signs = {"√"}
    for path in folder.glob("*.html"):
        for formula in re.findall(r"<math.*?</math>", path.read_text(encoding="utf-8"), re.S):
            signs |= set(html.unescape(re.sub(r"<[^>]+>|\s", "", formula)))
    font = TTFont(folder / "math.woff")
    assert signs - set(map(chr, font.getBestCmap())) <= {"\u2009", "\u2002", "\u2003"}
    assert "MATH" in font and (folder / "math.woff").stat().st_size < 300_000


ALIKE = """() => {   // of all words that look alike, on a ground that looks alike, one is marked
    const looks = new Map(), seen = new Set();
    const ground = e => {
        if (!e) return '';
        if (!looks.has(e)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(e);
            const own = [backgroundColor, backgroundImage, opacity].join();
            const bare = own === 'rgba(0, 0, 0, 0),none,1';
            looks.set(e, ground(e.parentElement) + (bare ? '' : ' / ' + own));
        }
        return looks.get(e);
    };
    for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
        const {color, fontSize, fontWeight} = getComputedStyle(e);
        const look = [color, fontSize, fontWeight, ground(e)].join();
        if (!seen.has(look)) e.dataset.look = seen.size;
        seen.add(look);
    }
    for (const e of document.querySelectorAll('pre span, math'))
        if (!e.matches('[data-look]') && !e.querySelector('[data-look]')) e.replaceWith(e.textContent);
}"""


def seen_by_axe(page):
    """Contrast, order of headings, words for pictures, and a hundred more.

    A page has thousands of words, and axe would spend most of its time on the contrast of those that look alike.
    """
    page.evaluate(ALIKE)
    page.evaluate(Axe().axe_script)
    page.evaluate("axe.configure({rules: [{id: 'color-contrast', selector: '[data-look]'}]})")
    return AxeResults(page.evaluate("axe.run({resultTypes: ['violations']})"))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole_and_readable_by_all_without_a_network(page, name):
    page.refused.clear()
    page.complaints.clear()
    visit(page, name)
    assert not page.refused and not page.complaints
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    if page.evaluate("[...document.querySelectorAll('math')].some(part => part.checkVisibility())"):
        assert page.evaluate("[...document.fonts].some(f => f.family.includes('Math') && f.status == 'loaded')")
    page.evaluate("document.querySelectorAll('main details').forEach(part => part.open = true)")
    for width in (390, 1280):  # a phone, a desk
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = page.evaluate("""() => [...document.querySelectorAll('main *')].filter(e =>
            e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, pre') && e.tagName !== 'image')
            .map(e => e.outerHTML.slice(0, 100))""")
        assert not outside
    found = seen_by_axe(page)
    assert not found.violations_count, found.generate_report()


def test_axe_notices_a_pale_word_of_code_and_a_picture_without_words(page):
    visit(page, "index")
    words = "<span>said</span> <span>said</span> <span id=pale style='color: #bbb'>pale</span>"
    page.evaluate("html => document.querySelector('main').innerHTML += html", f"<pre>{words}</pre><img src=''>")
    found = {violation["id"]: violation["nodes"] for violation in seen_by_axe(page).response["violations"]}
    assert "image-alt" in found and [node["target"] for node in found["color-contrast"]] == [["#pale"]]
    assert page.locator("pre span").count() == 2  # one of those that look alike


def test_axe_measures_a_word_where_it_stands(page):
    """The same word on another ground, and within something faint, is another look."""
    visit(page, "index")
    ground, faint = "<p style='background: #444'><b id=on>said</b></p>", "<p style='opacity: 0.4'><b id=in>said</b></p>"
    page.evaluate("html => document.querySelector('main').innerHTML += html", f"<b>said</b>{ground}{faint}")
    (found,) = seen_by_axe(page).response["violations"]
    assert found["id"] == "color-contrast" and [node["target"] for node in found["nodes"]] == [["#on"], ["#in"]]
