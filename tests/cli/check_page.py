#!/usr/bin/env python3
"""Checks a report: well-formed HTML, nothing from outside, every name in it.

    check_page.py PAGE NAMES [ANSWERS]

NAMES is a file with a variable's name on each line, ANSWERS one with what `zeroflow blanket --json`
says of some, a line each: the page must have the same members.
"""
import json
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "input", "option", "br", "link", "img"}
# Elements of SVG that may close themselves.
SHAPES = {"path", "circle", "image", "rect"}
SCRIPTS = 2


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.text, self.options = [], [], [], []
        self.scripts, self.titles, self.elements = [], [], []

    def look(self, tag, attributes):
        self.elements.append(tag)
        for name, value in attributes:
            if name.startswith("on"):
                self.faults.append(f"<{tag}> has a handler {name}")
            if name in ("src", "href", "xlink:href") and re.match(r"\w+:|//", value or ""):
                if not value.startswith("data:image/png;base64,"):
                    self.faults.append(f"<{tag}> refers to {value[:60]}")
        if tag == "option":
            self.options.append(dict(attributes)["value"])

    def handle_starttag(self, tag, attributes):
        self.look(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.look(tag, attributes)
        if tag not in SHAPES:
            self.faults.append(f"<{tag}/> closes itself")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes another element")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif self.open and self.open[-1] == "title":
            self.titles.append(data)
        else:
            self.text.append(data)


# Of a page's verdicts: edges, then stand-ins by a p-value of their own, then what is left out, first
# what is superfluous, by a p-value of its own too.
PLACE = {"evidence": 0, "required": 0, "stand-in": 1, "superfluous": 2, "chance": 3, "forbidden": 3}
CHANGED = ("stand-in", "superfluous")


def rows_of(data, target):
    """What the page lists beside a target: variable, gate and, by evidence, p-value, q-value,
    effect, form, the variable that it names, verdict, p-value of what was changed, stability."""
    fields = 9 + data["stability"] if "forms" in data else 2
    flat = data["blankets"][target]
    return [flat[i:i + fields] for i in range(0, len(flat), fields)]


def verdict(data, row):
    return data["verdicts"][row[7]]


def check_blankets(data, names, faults):
    """By evidence, members first, each group by its p-value; otherwise by gates."""
    for target in range(len(names)):
        rows = rows_of(data, target)
        order = [-row[1] for row in rows]
        if "forms" in data:
            order = [(PLACE[verdict(data, row)], row[8] if row[8] >= 0 else row[2]) for row in rows]
            if any((row[8] >= 0) != (verdict(data, row) in CHANGED) for row in rows):
                faults.append(f"what was changed beside {names[target]} has no p-value, or another "
                              "has one")
        if any(row[0] == target for row in rows) or order != sorted(order) or not rows:
            faults.append(f"the blanket of {names[target]} is no blanket")


def check_edges(data, source, faults):
    """Image, table, lists and headline have the same edges."""
    listed = {frozenset((target, row[0])) for target in range(len(data["names"]))
              for row in rows_of(data, target)
              if PLACE[verdict(data, row)] == 0 or verdict(data, row) == "superfluous"}
    drawn = {frozenset((int(a), int(b))) for classes, a, b in
             re.findall(r'<path class="e([a-z ]*)" data-a="(\d+)" data-b="(\d+)"', source)
             if "missed" not in classes}
    rows = len(re.findall(r'<td class="words verdict">yes', source))
    told = re.search(r'<p class="headline"><b>([\d,]+) edge|<b>(No edge) at this level', source)
    count = int(told.group(1).replace(",", "")) if told and told.group(1) else 0 if told else None
    if not (listed == drawn and len(drawn) == rows == count):
        faults.append(f"{len(listed)} edges in the lists, {len(drawn)} drawn, {rows} in the table, "
                      f"{count} told")


def check_members(data, answers, faults):
    """The page has the members that `zeroflow blanket --json` gives, for the same reasons."""
    for line in open(answers, encoding="utf-8"):
        answer = json.loads(line)
        want = [(m["name"], m["why"]) for m in answer["members"]]
        rows = rows_of(data, data["names"].index(answer["target"][0]))
        got = [(data["names"][row[0]], verdict(data, row)) for row in rows
               if PLACE[verdict(data, row)] < 2]
        if got != want:
            faults.append(f"{answer['target']}: {got} in the page, {want} by blanket")


def main():
    source = open(sys.argv[1], encoding="utf-8").read()
    names = open(sys.argv[2], encoding="utf-8").read().split("\n")[:-1]
    page = Page()
    page.feed(source)
    page.close()
    faults = page.faults
    if page.open:
        faults.append(f"never closed: {page.open}")
    for pattern in (r"https?://", r"url\(", r"@import"):
        if re.search(pattern, source):
            faults.append(f"the page has {pattern}")
    if any(ord(c) < 32 and c != "\n" for c in source):
        faults.append("the page has control characters")
    if page.elements.count("script") != SCRIPTS:
        faults.append(f"{page.elements.count('script')} scripts, expected {SCRIPTS}")
    page.shortened = "surest edges;" in source
    data = json.loads("".join(page.scripts[:1]))
    if data["names"] != names:
        faults.append(f"names are {data['names'][:3]}..., expected {names[:3]}...")
    if page.options != names:
        faults.append("the list of names to choose from is another")
    missing = [name for name in names if name not in page.titles]
    if len(names) <= 150 and missing:
        faults.append(f"not in the image: {missing[:3]}")
    check_blankets(data, names, faults)
    if "forms" in data and not page.shortened:
        check_edges(data, source, faults)
    if len(sys.argv) > 3:
        check_members(data, sys.argv[3], faults)
    for fault in faults:
        print(fault, file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
