# SPDX-License-Identifier: MIT
"""What a program told a driver, as records: structures, commands or headers, each a name and fields. Two lists of them
are compared field by field; a list of intended differences says which may be, and why."""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass
class Record:
    scope: str  # such as `picture 3`
    name: str
    fields: dict[str, str] = field(default_factory=dict)

    def add(self, name, value):
        """Adds a field; of several with one name the second is called `name#2`. Indices are written with dots."""
        name = re.sub(r"\[(\w+)\]", r".\1", name)
        count = 1
        unique = name
        while unique in self.fields:
            count += 1
            unique = f"{name}#{count}"
        self.fields[unique] = str(value)


def write(records, path):
    lines = []
    for record in records:
        lines.append(f"== {record.scope}: {record.name}")
        lines += [f"{name} {value}" for name, value in record.fields.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path):
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            records.append(Record(*line[3:].split(": ", 1)))
        else:
            name, _, value = line.partition(" ")
            records[-1].fields[name] = value
    return records


@dataclass
class Intended:
    """A difference that is meant to be. Path and values are patterns; a side that lacks the field has the value `-`."""

    path: str
    ours: str
    theirs: str
    reason: str
    used: bool = False

    def covers(self, path, ours, theirs):
        return fnmatchcase(path, self.path) and fnmatchcase(ours, self.ours) and fnmatchcase(theirs, self.theirs)


def read_intended(path, name=None, is_sourced=False):
    """Reads lines `PATH | OURS | THEIRS | REASON`; empty ones and those that begin with # are left out. Lines below a heading
    of names in brackets are for these alone. Where the list is sourced, each reason ends with its source in brackets, or
    begins with "the same", as of the line before."""
    intended, is_meant = [], True
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("["):
            is_meant = name in line.strip("[]").split()
        if not is_meant or not line.strip() or line[0] in "#[":
            continue
        words = [word.strip() for word in line.split("|", 3)]
        if len(words) != 4 or not all(words):
            raise ValueError(f"{path}:{number}: expected PATH | OURS | THEIRS | REASON")
        if is_sourced and not words[3].startswith("the same") and not re.search(r" \[[^\[\]]+\]$", words[3]):
            raise ValueError(f"{path}:{number}: expected a source in brackets behind the reason")
        intended.append(Intended(*words))
    return intended


def flattened(records):
    """All fields by their paths, such as `picture 3: Name#2.field`; a record's own path has the value `present`."""
    values, counts = {}, {}
    for record in records:
        path = f"{record.scope}: {record.name}"
        counts[path] = counts.get(path, 0) + 1
        if counts[path] > 1:
            path += f"#{counts[path]}"
        values[path] = "present"
        values |= {f"{path}.{name}": value for name, value in record.fields.items()}
    return values


def differences(ours, theirs):
    """What differs, as (path, our value, their value). Of a record that one side lacks only its own path is named."""
    first, second = flattened(ours), flattened(theirs)
    present = {path for path, value in (first | second).items() if value == "present"}
    missing = present - (first.keys() & second.keys())
    for path in [*first, *(path for path in second if path not in first)]:
        a, b = first.get(path, "-"), second.get(path, "-")
        owner = path.rsplit(": ", 1)[0] + ": " + path.rsplit(": ", 1)[1].split(".", 1)[0]
        if a != b and (path in missing or owner not in missing):
            yield path, a, b


def compare(ours, theirs, intended):
    """What is wrong, as lines: differences that nobody intended, and intended ones that are not there."""
    if not ours or not theirs:
        return ["there is nothing to compare"]
    wrong = []
    for path, a, b in differences(ours, theirs):
        covering = [rule for rule in intended if rule.covers(path, a, b)]
        for rule in covering:
            rule.used = True
        if not covering:
            wrong.append(f"{path}: {a}, theirs {b}")
    wrong += [f"nothing differs as {rule.path} | {rule.ours} | {rule.theirs} says" for rule in intended if not rule.used]
    return wrong
