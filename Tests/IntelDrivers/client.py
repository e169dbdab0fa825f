# SPDX-License-Identifier: MIT
"""Programs that run on Intel's drivers, with i915-shim in place of a GPU."""

import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / ".build/i915-shim/i915-shim.so"
FULL_BUILDS = ROOT / ".build/intel-drivers"
PACKAGES = {"iHD": "intel-media-va-driver", "i965": "i965-va-driver"}
# The versions whose offers, streams and errors the tests expect; of i965 there will be no other.
VERSIONS = {"iHD": "Gen Graphics - 23.1.1 ()", "i965": ""}
SECONDS = 60


@functools.cache
def folder_of(driver, build):
    """Where the driver is: `free`, from its package, or `full`, unpacked by dev/intel-drivers. None: nowhere."""
    if build == "full":
        return FULL_BUILDS if (FULL_BUILDS / f"{driver}_drv_video.so").exists() else None
    listing = subprocess.run(["dpkg-query", "-L", PACKAGES[driver]], capture_output=True, text=True, check=False)
    files = [Path(line) for line in listing.stdout.splitlines() if line.endswith(f"/{driver}_drv_video.so")]
    return files[0].parent if files else None


@functools.cache
def needs(driver, build):
    """What is missing to use the driver, or nothing."""
    folder = folder_of(driver, build)
    if not folder:
        return "the full builds that dev/intel-drivers downloads" if build == "full" else f"the package {PACKAGES[driver]}"
    if VERSIONS[driver].encode() not in (folder / f"{driver}_drv_video.so").read_bytes():
        return f'"{VERSIONS[driver]}", and not the {driver} in {folder}'
    return ""


def environment(folder, driver="iHD", build="free", chip="tgl", faults="", **others):
    """What a program is started with. `folder` gets the pretended device and what libva traces."""
    own = {
        "LD_PRELOAD": str(SHIM),
        "LIBVA_DRIVER_NAME": driver,
        "LIBVA_DRIVERS_PATH": str(folder_of(driver, build)),
        "LIBVA_TRACE": str(folder / "trace"),
        "LIBVA_TRACE_BUFDATA": "1",
        "I915_SHIM_CHIP": chip,
        "I915_SHIM_FAULT": faults,
        "I915_SHIM_ROOT": str(folder / "device"),
        "I915_SHIM_DUMP": str(folder / "dump"),
    }
    return {**os.environ, **own, **others}


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS, check=False,
                          errors="replace", **options)


def ffmpeg(stream, encoder, frames=6, size="320x240", upload="nv12"):
    """FFmpeg's command that encodes a moving picture."""
    return ["ffmpeg", "-v", "error", "-y", "-vaapi_device", "/dev/dri/renderD128", "-f", "lavfi", "-i",
            f"testsrc2=size={size}:rate=25", "-frames:v", frames, "-vf", f"format={upload},hwupload",
            "-c:v", *encoder.split(), stream]
