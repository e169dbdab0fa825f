# SPDX-License-Identifier: MIT
"""The headers of a stream as FFmpeg's trace_headers reads them."""

import re

from client import run
from records import Record

LINE = re.compile(r"\[trace_headers @ \w+\] (.*)")
FIELD = re.compile(r"\d+ +(\S+) +[01]* = (-?\d+)")
SHORT = {"Video Parameter Set": "VPS", "Sequence Parameter Set": "SPS", "Picture Parameter Set": "PPS"}
# What fills the last byte.
PADDING = ("rbsp_", "cabac_alignment_", "byte_alignment_", "alignment_bit_", "slice_alignment_")
SLICES = {"H.264": {0: "P", 1: "B", 2: "I"}, "HEVC": {0: "B", 1: "P", 2: "I"}}


def records_of(stream):
    """The headers, each a record, packet by packet. FFmpeg's complaints are an exception."""
    result = run(["ffmpeg", "-v", "info", "-nostdin", "-i", stream, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"])
    records, packets, in_packet = [], 0, False
    for line in result.stderr.splitlines():
        match = LINE.match(line)
        if not match:
            # Its demuxer looks into slice data, which are none.
            continue
        text = match.group(1)
        entry = FIELD.fullmatch(text)
        if text.startswith("Packet: "):
            in_packet, packets = True, packets + 1
        elif text.startswith("Extradata"):
            in_packet = False
        elif entry and in_packet:
            if not entry.group(1).startswith(PADDING):
                records[-1].add(*entry.groups())
        elif in_packet and not entry:
            records.append(Record(f"packet {packets - 1}", text))
    if result.returncode != 0:
        raise ValueError(result.stderr[-300:])
    return records


def picture_of(record):
    fields = record.fields
    number = int(fields["nal_unit_type"])
    is_hevc = "slice_segment_header_extension_length" in fields or "first_slice_segment_in_pic_flag" in fields
    kind = SLICES["HEVC" if is_hevc else "H.264"][int(fields["slice_type"]) % (3 if is_hevc else 5)]
    return "IDR" if number in ((19, 20) if is_hevc else (5,)) else kind


def summary(records):
    """Parameter sets and slices of the stream in a line: `SPS PPS IDR P P`."""
    words = [picture_of(record) if record.name.startswith("Slice") else SHORT.get(record.name) for record in records]
    return " ".join(word for word in words if word)
