#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that recordings hold what programs tell Intel's drivers, and that the comparison finds what differs."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import records
import traces
from client import needs
from records import Intended, Record

FRAMES = 6
# What each picture of a codec has to have, by kind.
PARTS = {
    "h264": (("VAEncPictureParameterBufferH264", "VAEncSliceParameterBufferH264"),
             ("MFX_AVC_IMG_STATE", "VDENC_IMG_STATE", "MFX_AVC_SLICE_STATE", "MFX_PIPE_BUF_ADDR_STATE")),
    "hevc": (("VAEncPictureParameterBufferHEVC", "VAEncSliceParameterBufferHEVC"),
             ("HCP_PIC_STATE", "HCP_PIPE_BUF_ADDR_STATE")),
}
# Encoders whose recordings differ, and in what alone.
DIFFERENT = [
    ("h264_vaapi -qp 28", "h264_vaapi -qp 30", [
        ("*: VAEncPictureParameterBufferH264.pic_init_qp", "28", "30"),
        ("*: VDENC_IMG_STATE.word.*", "*", "*"),
        ("*: MFX_AVC_SLICE_STATE.word.3", "????????", "????????"),
        ("packet 0: Picture Parameter Set.pic_init_qp_minus26", "2", "4"),
    ]),
    ("h264_vaapi -rc_mode CBR -b:v 1M", "h264_vaapi -rc_mode CBR -b:v 900k", [
        ("picture 0: VAEnc*.bits_per_second", "1000000", "900000"),
        ("picture 0: VAEncMiscParameterHRD.*", "*", "*"),
        ("*: parameters of firmware*.word.*", "*", "*"),
        ("packet 0: Sequence Parameter Set.*_value_minus1.0", "*", "*"),
    ]),
    ("hevc_vaapi -qp 28 -bf 0", "hevc_vaapi -qp 28 -bf 0 -sei 0 -level 3", [
        ("picture 0: VAEncSequenceParameterBufferHEVC.general_level_idc", "60", "90"),
        ("packet 0: Video Parameter Set.general_level_idc", "60", "90"),
        ("packet 0: Sequence Parameter Set.general_level_idc", "60", "90"),
    ]),
]
# The same from one picture in flight to five, in which surfaces and buffers are others.
ALIKE = list(traces.RECORDINGS.values())


def check_recording(encoder, folder):
    """What is wrong with a recording, and with another of the same settings."""
    one = traces.record_ffmpeg(folder / "one", f"{encoder} -async_depth 1")
    traces.record_ffmpeg(folder / "five", f"{encoder} -async_depth 5")
    wrong = traces.compare(folder / "one", folder / "five", [])
    codec = encoder[:4]
    for kind, names in zip(traces.KINDS, PARTS[codec]):
        for name in names:
            count = len({entry.scope for entry in one[kind] if entry.name == name})
            if count != FRAMES:
                wrong.append(f"{name} is in {count} pictures")
    references = [value for entry in one["commands"] for value in entry.fields.values() if "reconstruction of" in value]
    if not any(f"submission {1 if codec == 'h264' else 3} +" in value for value in references):
        wrong.append("no command has a reconstruction")
    return wrong


def check_difference(row, folder):
    """What is wrong with the comparison of two recordings that differ."""
    first, second, rules = row
    traces.record_ffmpeg(folder / "first", first)
    traces.record_ffmpeg(folder / "second", second)

    def compared(rules):
        return traces.compare(folder / "first", folder / "second", [Intended(*rule, "a test") for rule in rules])

    wrong = compared(rules)
    wrong += [f"without {rule[0]} nothing is wrong" for rule in rules if not compared([r for r in rules if r is not rule])]
    stale = compared([*rules, ("picture 0: VAContext.width", "320", "640")])
    return wrong if len(stale) == 1 + len(wrong) else [*wrong, f"a line that nothing is like: {stale}"]


def check_records(_, folder):
    """What is wrong with lists made by hand."""
    one = [Record("picture 0", "A", {"x": "1", "y": "2"}), Record("picture 0", "A", {"x": "3"})]
    two = [Record("picture 0", "A", {"x": "1", "z": "2"})]
    expected = ["picture 0: A.y: 2, theirs -", "picture 0: A#2: present, theirs -", "picture 0: A.z: -, theirs 2"]
    wrong = [] if records.compare(one, two, []) == expected else [f"{records.compare(one, two, [])}"]
    records.write(one, folder / "one.txt")
    if records.read(folder / "one.txt") != one:
        wrong.append("a list is another when it is read back")
    if records.compare([], two, []) == []:
        wrong.append("nothing is like something")
    listed = folder / "list.txt"
    listed.write_text("# A comment.\n\n* | 2 | - | a test, with | in it\n", encoding="utf-8")
    if records.read_intended(listed) != [Intended("*", "2", "-", "a test, with | in it")]:
        wrong.append(f"{records.read_intended(listed)}")
    listed.write_text("a | 1 | 2 | all\n[x y]\nb | 1 | 2 | some\n[z]\nc | 1 | 2 | others\n", encoding="utf-8")
    for name, expected in [("x", "ab"), ("z", "ac"), (None, "a")]:
        if "".join(rule.path for rule in records.read_intended(listed, name)) != expected:
            wrong.append(f"{name} does not have {expected}")
    listed.write_text("* | 2 | - |\n", encoding="utf-8")
    try:
        records.read_intended(listed)
        wrong.append("a difference without a reason is intended")
    except ValueError:
        pass
    return wrong


def check(job):
    function, row = job
    with tempfile.TemporaryDirectory() as folder:
        return function(row, Path(folder))


def main():
    if needs("iHD", "free"):
        print(f"traces: SKIPPED, needs {needs('iHD', 'free')}")
        return 0
    jobs = [(check_records, None), *((check_recording, encoder) for encoder in ALIKE)]
    jobs += [(check_difference, row) for row in DIFFERENT]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, wrong in zip(jobs, pool.map(check, jobs)):
            failed += bool(wrong)
            for line in wrong[:20]:
                print(f"{job[0].__name__} {job[1] if isinstance(job[1], str) else job[1][:2]}: {line}")
    print(f"traces: {len(ALIKE)} recordings, {len(DIFFERENT)} comparisons, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
