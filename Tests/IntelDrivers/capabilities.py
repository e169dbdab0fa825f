#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what a VA-API driver offers to encoders of H.264 and HEVC: its name, then for profiles and an entry point the
attributes that it knows, in hexadecimal. Profiles that offer the same are in one line.

  Tests/IntelDrivers/capabilities.py [DEVICE]
"""

import ctypes
import os
import sys

PROFILES = {13: "H264ConstrainedBaseline", 6: "H264Main", 7: "H264High", 17: "HEVCMain", 18: "HEVCMain10"}
ENTRY_POINTS = {6: "EncSlice", 8: "EncSliceLP"}
# Of VAConfigAttribType, what bears on encoding.
ATTRIBUTES = {
    0: "RTFormat",
    5: "RateControl",
    10: "EncPackedHeaders",
    11: "EncInterlaced",
    13: "EncMaxRefFrames",
    14: "EncMaxSlices",
    15: "EncSliceStructure",
    18: "MaxPictureWidth",
    19: "MaxPictureHeight",
    21: "EncQualityRange",
    22: "EncQuantization",
    23: "EncIntraRefresh",
    24: "EncSkipFrame",
    25: "EncROI",
    26: "EncRateControlExt",
    28: "EncDirtyRect",
    30: "EncDynamicScaling",
    31: "FrameSizeToleranceSupport",
    35: "EncTileSupport",
    36: "CustomRoundingControl",
    37: "QPBlockSize",
    38: "MaxFrameSize",
    39: "PredictionDirection",
    41: "ContextPriority",
    50: "EncHEVCFeatures",
    51: "EncHEVCBlockSizes",
    55: "EncPerBlockControl",
}
NOT_SUPPORTED = 0x80000000


class Attribute(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("value", ctypes.c_uint)]


def call(function, *arguments):
    status = function(*arguments)
    if status != 0:
        sys.exit(f"{function.__name__}: {status:#x}")


def numbers(function, display, *arguments, room):
    """What a call answers that fills a list and says how long it is."""
    values, count = (ctypes.c_int * room)(), ctypes.c_int()
    call(function, display, *arguments, values, ctypes.byref(count))
    return values[: count.value]


def main(arguments):
    os.environ["LIBVA_MESSAGING_LEVEL"] = "0"
    va, drm = ctypes.CDLL("libva.so.2"), ctypes.CDLL("libva-drm.so.2")
    drm.vaGetDisplayDRM.restype = ctypes.c_void_p
    va.vaQueryVendorString.restype = ctypes.c_char_p
    node = os.open(arguments[0] if arguments else "/dev/dri/renderD128", os.O_RDWR)
    display = ctypes.c_void_p(drm.vaGetDisplayDRM(node))
    major, minor = ctypes.c_int(), ctypes.c_int()
    call(va.vaInitialize, display, ctypes.byref(major), ctypes.byref(minor))
    print(va.vaQueryVendorString(display).decode())
    offers = {}
    offered = numbers(va.vaQueryConfigProfiles, display, room=va.vaMaxNumProfiles(display))
    for profile in (profile for profile in PROFILES if profile in offered):
        room = va.vaMaxNumEntrypoints(display)
        for entry_point in sorted(numbers(va.vaQueryConfigEntrypoints, display, profile, room=room)):
            if entry_point not in ENTRY_POINTS:
                continue
            attributes = (Attribute * len(ATTRIBUTES))(*((number, 0) for number in ATTRIBUTES))
            call(va.vaGetConfigAttributes, display, profile, entry_point, attributes, len(attributes))
            known = [f"{ATTRIBUTES[a.type]}={a.value:x}" for a in attributes if a.value != NOT_SUPPORTED]
            offers.setdefault(" ".join([ENTRY_POINTS[entry_point], *known]), []).append(PROFILES[profile])
    for offer, profiles in offers.items():
        print("+".join(profiles), offer)
    call(va.vaTerminate, display)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
