# SPDX-License-Identifier: BSD-3-Clause
"""No circle of files: what a file needs never needs that file.

A unit is NAME.c with NAME.h of one folder, or either of them. It needs another unit whose header it
includes, or of which its object uses a symbol: that finds what hides behind a header that several
share. Of the PAPI component, which PAPI compiles, there are no objects: there each function has to be
declared in its unit's own header. A Python file needs those that it imports.
"""
import os
import re
import subprocess
import sys

TREES = ("libdecode", "statistics", "sharing", "document", "analysis", "command", "perf_scripts", "papi_component",
         "recorder", "bench", "tests")
# Linux's makefiles compile them, with headers for one file alone
WITHOUT = "tests/vm/modules"

# Circles that there still are, by their files. A line goes when its circle does.
KNOWN = [
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(precis/[^>]+)>)', re.M)
IMPORT = re.compile(r"^\s*(?:from|import)\s+\.?([a-z_]+)", re.M)


def sources(top):
    """Files of the trees, by their paths from the top"""
    for tree in TREES:
        for folder, _, names in os.walk(os.path.join(top, tree)):
            for name in names:
                if name.endswith((".c", ".h", ".py")) and os.path.relpath(folder, top) != WITHOUT:
                    yield os.path.relpath(os.path.join(folder, name), top)


def unit_of(path):
    return os.path.splitext(path)[0]


def included(top, path, paths):
    """Headers that the file includes, and the text for each"""
    with open(os.path.join(top, path), encoding="utf-8") as file:
        text = file.read()
    folder = os.path.dirname(path)
    if path.endswith(".py"):
        for name in IMPORT.findall(text):
            yield os.path.join(folder, name + ".py"), "imports " + name
        return
    for quoted, public in INCLUDE.findall(text):
        if public:
            yield os.path.join("libdecode/include", public), "includes <%s>" % public
            continue
        beside = os.path.normpath(os.path.join(folder, quoted))
        yield beside if beside in paths else quoted, 'includes "%s"' % quoted


def objects_in(build, units):
    """Objects of the build tree: {path: unit}. Automake puts the program's name in front. Those of
    sources that are gone may still lie there."""
    found = {}
    for tree in TREES:
        for folder, _, names in os.walk(os.path.join(build, tree)):
            room = os.path.relpath(folder, build)
            if os.path.basename(room) == ".libs":
                room = os.path.dirname(room)
            for name in (n for n in names if n.endswith(".o")):
                stem = name[:-2]
                while os.path.join(room, stem) not in units and "-" in stem:
                    stem = stem.split("-", 1)[1]
                if os.path.join(room, stem) in units:
                    found[os.path.join(folder, name)] = os.path.join(room, stem)
    return found


def symbols(objects, option):
    """(unit, symbol) of each symbol that nm lists of the objects with this option"""
    nm = os.environ.get("NM") or "nm"
    paths = sorted(objects)
    for at in range(0, len(paths), 200):
        command = nm.split() + ["-A", "-P", "-g", option] + paths[at:at + 200]
        for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
            path, rest = line.split(": ", 1)
            yield objects[path], rest.split()[0]


def needs_of(top, build):
    """{unit: {unit that it needs: why}}, and how many objects were looked at"""
    paths = set(sources(top))
    needs = {unit_of(path): {} for path in paths}
    compiled = {unit_of(path) for path in paths if path.endswith(".c")}
    for path in sorted(paths):
        for header, why in included(top, path, paths):
            if header in paths and unit_of(header) != unit_of(path):
                needs[unit_of(path)].setdefault(unit_of(header), why)
    objects = objects_in(build, compiled)
    homes = {}
    for unit, symbol in symbols(objects, "--defined-only"):
        homes.setdefault(symbol, set()).add(unit)
    for unit, symbol in symbols(objects, "--undefined-only"):
        for home in homes.get(symbol, ()):
            # several programs have a main file of their own: one definition is meant
            if home != unit and len(homes[symbol]) == 1:
                needs[unit].setdefault(home, "uses %s()" % symbol)
    return needs, len(objects)


FUNCTION = re.compile(r"^[a-z][^=;{}#]*?\b(precis_\w+)\([^;{}]*\)\s*([;{])", re.M)


def astray(top, tree):
    """Functions of a tree without objects that another header than their own declares"""
    declared, defined = {}, {}
    for path in sources(top):
        if not path.startswith(tree + os.sep) or os.sep + "tests" + os.sep in path:
            continue
        with open(os.path.join(top, path), encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for name, end in FUNCTION.findall(text):
            if path.endswith(".h") and end == ";":
                declared.setdefault(name, set()).add(unit_of(path))
            elif path.endswith(".c") and end == "{":
                defined[name] = unit_of(path)
    for name, homes in sorted(declared.items()):
        if name in defined and homes != {defined[name]}:
            yield "%s() of %s is declared in %s" % (name, defined[name], ", ".join(sorted(homes)))
    for name, home in sorted(defined.items()):
        if name not in declared and not name.startswith("precis_papi_"):
            yield "%s() of %s is in no header" % (name, home)


def way(needs, start, goal, within):
    """The shortest way from one unit to another: [unit, ...]"""
    came = {start: None}
    queue = [start]
    for unit in queue:
        for other in sorted(needs[unit]):
            if other == goal:
                steps = [goal, unit]
                while came[steps[-1]] is not None:
                    steps.append(came[steps[-1]])
                return steps[::-1]
            if other in within and other not in came:
                came[other] = unit
                queue.append(other)
    return None


def knots(needs):
    """Sets of units in which each needs each (Kosaraju, without recursion)"""
    order, seen = [], set()
    for root in sorted(needs):
        stack = [] if root in seen else [(root, iter(sorted(needs[root])))]
        seen.add(root)
        while stack:
            unit, rest = stack[-1]
            other = next((n for n in rest if n not in seen), None)
            if other is None:
                order.append(unit)
                stack.pop()
            else:
                seen.add(other)
                stack.append((other, iter(sorted(needs[other]))))
    needed_by = {unit: [] for unit in needs}
    for unit in needs:
        for other in needs[unit]:
            needed_by[other].append(unit)
    left = set(needs)
    for root in reversed(order):
        if root not in left:
            continue
        left.discard(root)
        knot, queue = {root}, [root]
        for unit in queue:
            for other in needed_by[unit]:
                if other in left:
                    left.discard(other)
                    knot.add(other)
                    queue.append(other)
        if len(knot) > 1:
            yield knot


def describe(needs, knot):
    """The shortest circle in it, step by step, and who else is in it"""
    circle = min((way(needs, unit, unit, knot) for unit in sorted(knot)), key=len)
    lines = ["%s %s (%s)" % (unit, needs[unit][following], following)
             for unit, following in zip(circle, circle[1:])]
    others = sorted(knot - set(circle))
    return lines + (["in the same knot: " + ", ".join(others)] if others else [])


def main():
    top, build = os.environ["srcdir"], os.environ["builddir"]
    needs, objects = needs_of(top, build)
    found = [knot for knot in knots(needs)]
    results = [("%d objects of the build tree belong to sources" % objects, objects > 0, [])]
    new = [knot for knot in found if not any(knot <= set(known) for known in KNOWN)]
    complaints = []
    for knot in new:
        complaints += describe(needs, knot) + [""]
    results.append(("no circle in %d units" % len(needs), not new, complaints))
    strays = [line for line in astray(top, "papi_component") if "precis_papi_" not in line]
    results.append(("the component's functions are declared in their units' headers", not strays, strays))
    for known in KNOWN:
        still = any(knot <= set(known) for knot in found)
        results.append(("the known circle of %s" % ", ".join(sorted(known)), still,
                        ["is none any more: take it off the list"]))
    for number, (name, is_good, why) in enumerate(results, 1):
        print("%s %d - %s" % ("ok" if is_good else "not ok", number, name))
        for line in [] if is_good else why:
            print("# " + line)
    print("1..%d" % len(results))
    return 0 if all(is_good for _, is_good, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
