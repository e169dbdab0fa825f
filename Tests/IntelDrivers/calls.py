# SPDX-License-Identifier: MIT
"""The calls of a program to libva, read from the files that LIBVA_TRACE and LIBVA_TRACE_BUFDATA make."""

import re
from dataclasses import dataclass, field

from records import Record

PREFIX = re.compile(r"\[(\d+\.\d+)\]\[ctx +\w+\]")
RESULT = re.compile(r"=+(va\w+) ret = (VA_STATUS_\w+)")
CALL = re.compile(r"=+va_Trace(\w+)")
STRUCTURE = re.compile(r"--(VA\w+)")
FIELD = re.compile(r"(\S[^=]*?) ?= ?(.*)")
LIST = re.compile(r"(\w+) \(TopFieldOrderCnt")
BYTES = re.compile(r"0x[0-9a-f]{4}: ([0-9a-f ]+)")
NONE = ("0xffffffff", "ffffffff")
SEQUENCE = {0: "Misc", 1: "Sequence", 2: "Picture", 3: "Slice", 4: "Raw"}


@dataclass
class Structure:
    name: str = ""
    fields: list = field(default_factory=list)
    data: bytes = b""


@dataclass
class Call:
    time: float
    name: str
    status: str = ""
    fields: list = field(default_factory=list)
    buffers: list[Structure] = field(default_factory=list)


def calls_of_thread(path):
    """The calls in one thread's file. What libva maps to print it is no call of the program."""
    calls, entries, render = [], None, None
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        prefix = PREFIX.match(line)
        time, text = (float(prefix.group(1)), PREFIX.sub("", line).strip()) if prefix else (None, line.strip())
        result, call = RESULT.match(text), CALL.match(text)
        if result:
            name, status = result.groups()
            if name == "vaRenderPicture":
                render.status, render = status, None
            elif render:
                continue
            elif calls and calls[-1].name == name and not calls[-1].status:
                calls[-1].status = status
            else:
                calls.append(Call(time, name, status))
        elif call:
            calls.append(Call(time, "va" + call.group(1)))
            entries = None
            render = calls[-1] if call.group(1) == "RenderPicture" else None
        elif calls and not calls[-1].status:
            entries = take(text, calls[-1], render, entries)
    return calls


def take(text, call, render, entries):
    """Adds a line to the call; returns the name of the list that its entries follow, if one does."""
    structure = STRUCTURE.search(text)
    current = render.buffers[-1] if render and render.buffers else call
    reference_list, data, pair = LIST.match(text), BYTES.match(text), FIELD.fullmatch(text)
    if render and text.startswith("buffers["):
        render.buffers.append(Structure())
    elif structure and render:
        current.name = structure.group(1)
    elif data and render:
        current.data += bytes.fromhex(data.group(1))
    elif reference_list:
        return reference_list.group(1)
    elif entries and pair is None and text.count("-") >= 4:
        current.fields.append((f"{entries}[{sum(name.startswith(entries + '[') for name, _ in current.fields)}]", text))
        return entries
    elif pair and not (render and not current.name):
        current.fields.append((pair.group(1).strip(), pair.group(2).strip()))
    return None


def calls_of(folder):
    """All calls of the program, by time."""
    threads = sorted(folder.glob("trace.*"))
    return sorted((call for path in threads for call in calls_of_thread(path)), key=lambda call: call.time)


def failures(calls):
    """What failed, as (call, status)."""
    return [(call.name, call.status) for call in calls if call.status not in ("VA_STATUS_SUCCESS", "")]


def nal_unit_headers(data, is_escaped):
    """The first byte of each NAL unit. Without emulation prevention there is one, behind the first start code."""
    ends = [match.end() for match in re.finditer(rb"\x00\x00\x01", data)]
    return [data[end] for end in (ends if is_escaped else ends[:1]) if end < len(data)]


class Pictures:
    """Makes records of calls. A surface is named after the picture whose reconstruction it holds."""

    def __init__(self):
        self.records = []
        self.count = 0
        self.reconstructions = {}
        self.is_hevc = False
        self.packed = None
        self.is_escaped = False
        self.configuration = []

    def surface(self, text):
        if text in NONE:
            return "none"
        return f"reconstruction {self.reconstructions[text]}" if text in self.reconstructions else "another surface"

    def add(self, scope, name, fields):
        """Adds a record without what says nothing: the coded buffer's name, entries that are empty, and zeros of tables."""
        record = Record(scope, name)
        empty = {key.removesuffix(".picture_id") for key, value in fields if key.endswith("].picture_id") and value in NONE}
        for key, value in fields:
            indexed = "[" in key
            if key == "coded_buf" or key.rpartition(".")[0] in empty or (indexed and value == "0"):
                continue
            if key.endswith("picture_id"):
                value = self.surface(value)
            elif indexed and value.count("-") >= 4:
                top, bottom, surface, rest = value.split("-", 3)
                value = f"{int(top, 16)} {int(bottom, 16)} {self.surface(surface)} {rest}"
            record.add(key, value)
        self.records.append(record)

    def structure(self, structure):
        scope = f"picture {self.count - 1}"
        if structure.name.startswith("VAEncPackedHeaderParameter"):
            fields = dict(structure.fields)
            self.packed = int(fields["type"], 16) if fields else int.from_bytes(structure.data[:4], "little")
            self.is_escaped = int(fields["has_emulation_bytes"]) > 0 if fields else structure.data[8] > 0
            return
        if structure.name.startswith("VAEncPackedHeaderData"):
            for first in nal_unit_headers(structure.data, self.is_escaped):
                number = first >> 1 & 63 if self.is_hevc else first & 31
                self.add(scope, f"packed {SEQUENCE.get(self.packed, self.packed)}, NAL unit {number}", [])
            return
        for key, value in structure.fields:
            if key in ("CurrPic.picture_id", "decoded_curr_pic.picture_id"):
                self.reconstructions[value] = self.count - 1
        extra = [("bytes", structure.data.hex())] if structure.data else []
        self.add(scope, structure.name, structure.fields + extra)

    def take(self, call):
        fields = dict(call.fields)
        if call.name == "vaCreateConfig":
            self.is_hevc = "HEVC" in fields["profile"]
            numbers = [key.removesuffix(".type") for key in fields if key.endswith(".type")]
            attributes = [(fields[f"{n}.type"].split(", ")[1], fields[f"{n}.value"]) for n in numbers]
            self.configuration = [(key, fields[key]) for key in ("profile", "entrypoint")] + attributes
        elif call.name == "vaCreateContext":
            # Others were made to ask what surfaces may be.
            self.add("setup", "VAConfig", self.configuration)
            self.add("setup", "VAContext", [(key, fields[key]) for key in ("width", "height", "flag")])
        elif call.name == "vaCreateBuffer" and fields.get("buf_type") == "VAEncCodedBufferType":
            self.add("setup", "coded buffer", [("size", fields["size"])])
        elif call.name == "vaBeginPicture":
            self.count += 1
        for structure in call.buffers:
            self.structure(structure)


def last_context(calls):
    """The time of the last context: those before were tried."""
    return max((call.time for call in calls if call.name == "vaCreateContext"), default=0.0)


def records_of(calls):
    """The last context's configuration and size, and the structures of each picture; coded buffers of one size are one
    record."""
    pictures, start = Pictures(), last_context(calls)
    for call in calls:
        if call.time < start and call.name != "vaCreateConfig":
            continue
        pictures.take(call)
    seen, records = set(), []
    for record in pictures.records:
        key = (record.name, *record.fields.items())
        if record.name != "coded buffer" or key not in seen:
            records.append(record)
        seen.add(key)
    return records
