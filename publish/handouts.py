"""The course on paper and as a book: python -m publish.handouts [NOTEBOOK ...] writes the folder handouts/.

A PDF of each notebook, printed by Chromium from the page of the site, and the whole course as an EPUB, made of the same
pages. With notebooks given, their PDFs alone.
"""

import argparse
import datetime
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import uuid
import zipfile
from pathlib import Path
from urllib.parse import unquote

from bs4 import BeautifulSoup

from kmlab import __version__

from . import site

FOLDER = Path("handouts")
BOOK = "kmlab.epub"
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",  # like the last, not on the PATH
)
NO_BROWSER = (
    "No PDF was written, for want of a browser that prints: install Chromium or Google Chrome and start again. "
    "The EPUB needs none."
)
QUIET = "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"
PATIENCE = 180  # seconds a page
TYPES = {".png": "image/png", ".svg": "image/svg+xml", ".css": "text/css", ".woff": "font/woff"}
TYPES[".xhtml"] = "application/xhtml+xml"
FIXED = (2026, 1, 1, 0, 0, 0)  # of every file in the book, so that equal books are equal


# ---- PDF


def find_chromium():
    if os.environ.get("KMLAB_NO_BROWSER"):
        return None
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def for_print(page):
    """A page of the site with everything open, every picture at hand, and its title at the top of every sheet."""
    title = html.unescape(re.search(r"<title>(.*?)</title>", page, re.S)[1]).replace("\\", r"\\").replace('"', r"\"")
    head = f'<style>@page {{ @top-left {{ content: "{title}"; font: 8.5pt system-ui, sans-serif; }} }}</style></head>'
    page = page.replace("<details", "<details open").replace(' loading="lazy"', "")
    page = re.sub(r"<script\b.*?</script>", "", page, flags=re.S)
    return page.replace("</head>", head, 1).replace(' media="print"', "", 1)


def write_pdf(chromium, page, target):
    """Print a page of a site that lies on disk."""
    copy = page.with_name(f"print-{page.name}")
    copy.write_text(for_print(page.read_text(encoding="utf-8")), encoding="utf-8")
    with tempfile.TemporaryDirectory() as profile:
        options = [
            *QUIET,
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target.absolute()}",
        ]
        command = [chromium, *options, copy.absolute().as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, timeout=PATIENCE, text=True, errors="replace")
            said = done.stderr.strip().splitlines()[-1:] or ["nothing"]
        except subprocess.TimeoutExpired:
            said = [f"nothing for {PATIENCE} seconds"]
    if not target.is_file():
        sys.exit(
            f"{target.name} could not be printed, {Path(chromium).name} says {said[0]!r}: mend this and start again."
        )


# ---- EPUB


class Book:
    """The pages of a site as the files of an EPUB 3."""

    def __init__(self, folder, names):
        self.folder, self.names, self.files = folder, names, {}
        self.titles, self.parts, self.properties = {}, {}, {}
        for name in ["index", *names]:
            self.add(name)
        for path in ("site.css", "math.woff"):
            self.files[path] = (folder / path).read_bytes()
        self.files["nav.xhtml"] = self.contents().encode()
        self.files["content.opf"] = self.package().encode()

    def add(self, name):
        """A page of the site as XHTML, with what it shows."""
        soup = BeautifulSoup((self.folder / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        main = soup.find("main")
        for gone in main.select(".stacked, .ways, .badges, .live, .fold > summary, button, input, select, script"):
            gone.decompose()
        for fold in main.select("details"):
            fold.name = "div"
            for line in fold.find_all("summary", recursive=False):
                line.name, line["class"] = "p", "summary"
        for tag in main.find_all(True):
            for key in ("loading", "tabindex", "aria-hidden"):
                tag.attrs.pop(key, None)
        for strip in main.select("figure > .strip"):  # words come last in a figure
            strip.parent.insert_after(strip.extract())
        for tag in main.select("mi, mn, mtext"):  # which browsers let have a sign's room, and readers of books do not
            for key in ("form", "lspace", "rspace", "stretchy"):
                tag.attrs.pop(key, None)
        known = set()
        for tag in main.find_all(id=True):  # a heading that stands there twice is led to once
            if tag["id"] in known:
                del tag["id"]
            else:
                known.add(tag["id"])
        for link in main.find_all("a", href=True):
            self.lead(link, name)
        for picture in main.find_all("img"):
            self.files[picture["src"]] = with_ids_once((self.folder / unquote(picture["src"])).read_bytes())
        self.titles[name] = main.find("h1").get_text().strip()
        self.parts[name] = [(h["id"], h.get_text().strip()) for h in main.find_all("h2", id=True)]
        self.properties[f"{name}.xhtml"] = "mathml" if main.find("math") else ""
        body = main.decode_contents(formatter="minimal")
        self.files[f"{name}.xhtml"] = xhtml(self.titles[name], body).encode()

    def lead(self, link, name):
        """A link to a page of the book stays one; others lead out of it, and their words remain."""
        page, _, anchor = link["href"].partition("#")
        target = Path(page).stem if page else name
        if target in ["index", *self.names] and (not page or page.endswith(".html")):
            link["href"] = f"{target}.xhtml" + (f"#{anchor}" if anchor else "")
        elif not page.startswith("http"):
            link.unwrap()

    def contents(self):
        lines = []
        for name in self.names:
            inner = "".join(f'<li><a href="{name}.xhtml#{e(id)}">{e(text)}</a></li>' for id, text in self.parts[name])
            inner = f"<ol>{inner}</ol>" if inner else ""
            lines.append(f'<li><a href="{name}.xhtml">{e(self.titles[name])}</a>{inner}</li>')
        return xhtml("Contents", f'<nav epub:type="toc"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>')

    def package(self):
        project = tomllib.loads((site.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        identity = uuid.uuid5(uuid.NAMESPACE_URL, "kmlab " + __version__)
        ids = {path: re.sub(r"[^A-Za-z0-9]", "-", "f-" + path) for path in sorted(self.files)}
        items = []
        for path, id in ids.items():
            about = "nav" if path == "nav.xhtml" else self.properties.get(path, "")
            about = f' properties="{about}"' if about else ""
            items.append(f'<item id="{id}" href="{path}" media-type="{TYPES[Path(path).suffix]}"{about}/>')
        spine = [f'<itemref idref="{ids[f"{name}.xhtml"]}"/>' for name in ["index", *self.names]]
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identity}</dc:identifier>
<dc:title>{e(self.titles["index"])}</dc:title>
<dc:language>en</dc:language>
<dc:creator>{e(project["authors"][0]["name"])}</dc:creator>
<dc:rights>{e(project["license"])}</dc:rights>
<meta property="dcterms:modified">{now}</meta>
</metadata>
<manifest>{"".join(items)}</manifest>
<spine><itemref idref="{ids["nav.xhtml"]}"/>{"".join(spine)}</spine>
</package>
"""

    def write(self, target):
        container = (
            '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>'
            "</container>"
        )
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
            book.writestr(zipfile.ZipInfo("mimetype", FIXED), "application/epub+zip", zipfile.ZIP_STORED)  # the first
            book.writestr(zipfile.ZipInfo("META-INF/container.xml", FIXED), container, zipfile.ZIP_DEFLATED)
            for path, content in sorted(self.files.items()):
                book.writestr(zipfile.ZipInfo(f"book/{path}", FIXED), content, zipfile.ZIP_DEFLATED)


def with_ids_once(content):
    """A picture by matplotlib names an image that it shows twice by the same name."""
    known = set()

    def once(found):
        return b"" if found[0] in known or known.add(found[0]) else found[0]

    return re.sub(rb' id="image\w+"', once, content) if b"<svg" in content[:2000] else content


def e(text):
    return html.escape(text)


def xhtml(title, body):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{e(title)}</title><link rel="stylesheet" type="text/css" href="site.css"/></head>
<body class="book">{body}</body>
</html>
"""


# ---- all of it


def names_of(given, known):
    """Names of pages for notebooks given by path, by number or by the beginning of their name."""
    for one in given:
        start = one.zfill(2) + "_" if one.isdigit() else Path(one).stem
        found = [name for name in known if name == start] or [name for name in known if name.startswith(start)]
        if len(found) != 1:
            sys.exit(f"{one!r} is no notebook of the course: give its number or its name, as in 06 or lecture_000.")
        yield found[0]


def main(args):
    parser = argparse.ArgumentParser(
        "python3 course.py handouts", description=__doc__.split(":")[0], allow_abbrev=False
    )
    parser.add_argument("notebook", nargs="*", help="by number, name or path; all of the course, and the EPUB, if none")
    given = parser.parse_args(args).notebook
    notebooks = [path.stem for path in site.all_notebooks()]
    chosen = list(dict.fromkeys(names_of(given, notebooks))) or notebooks
    chromium = find_chromium()
    if given and not chromium:
        sys.exit(NO_BROWSER)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        pages = Path(place) / "site"
        print("The pages:")
        site.build(pages)
        if not given:
            rest = sorted(path.stem for path in pages.glob("*.html") if path.stem not in [*notebooks, "index"])
            Book(pages, [*notebooks, *rest]).write(FOLDER / BOOK)
            print(f"{FOLDER / BOOK}: {(FOLDER / BOOK).stat().st_size / 1e6:.1f} MB.")
        for i, name in enumerate(chosen if chromium else [], 1):
            site.show_progress(i - 1, len(chosen), f"{name}.pdf")
            write_pdf(chromium, pages / f"{name}.html", FOLDER / f"{name}.pdf")
    if not chromium:
        sys.exit(NO_BROWSER)
    site.show_progress(len(chosen), len(chosen), "")
    print(f"\n{len(chosen)} PDF in {FOLDER}/.")


if __name__ == "__main__":
    main(sys.argv[1:])
