#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `encbench probe` in its surroundings, and checks what it says is wrong and that what it prints can be done there.

  Tests/IntelDrivers/test_probe.py [NAME...]      all surroundings, or those of the names; needs `swift build`

Folders of the system are covered in a mount namespace of the probe's own, which takes root or unprivileged namespaces.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client import ROOT, SHIM, needs

BUILT = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
ENCBENCH = Path(os.environ.get("ENCBENCH", Path(BUILT.stdout.strip()) / "encbench"))
SOFTVA = ROOT / ".build/softva"
DRIVERS = "/usr/lib/x86_64-linux-gnu/dri"
NODE = "/dev/dri/renderD128"
# What a line of the script does before the probe: hides files, or makes a node another's.
HIDE_DRIVERS = f"mount -t tmpfs tmpfs {DRIVERS}"
ONLY_I965 = f"cp {DRIVERS}/i965_drv_video.so $FOLDER/ && {HIDE_DRIVERS} && cp $FOLDER/i965_drv_video.so {DRIVERS}/"
HIDE_LIBVA = "for file in /usr/lib/x86_64-linux-gnu/libva.so.2*; do mount --bind /dev/null $(readlink -f $file); done"
# Where the tests run in a container themselves, its mark cannot be hidden.
IN_CONTAINER = any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))
NO_DEVICE = "not-in-container" if IN_CONTAINER else "no-device"
CONTAINER = "mount -t tmpfs tmpfs /run && touch /run/.containerenv"
# The shim makes its folder when a program starts that uses it.
MAKE_NODE = "env LD_PRELOAD=$SHIM true"
DENIED = "open=eacces"


class Place:
    """Surroundings: what is done before, which variables are set, and what the probe has to say."""

    def __init__(self, codes, before="", prefix="", arguments="", commands=(), words=(), shim=True, **variables):
        self.codes, self.before, self.prefix, self.arguments = codes, before, prefix, arguments
        self.commands, self.words, self.shim, self.variables = list(commands), words, shim, variables


# Somebody who is not root and in no group.
PLAIN = "setpriv --reuid 65534 --regid 65534 --clear-groups"


def plain(codes, group, mode="0660", before=":", **more):
    """A node of a group with a mode, which a user who is not root cannot open."""
    return Place(codes, before=f"{before}; {PLAIN} {MAKE_NODE}; chgrp {group} $I915_SHIM_ROOT/dev/dri/renderD128",
                 prefix=PLAIN, I915_SHIM_FAULT=DENIED, I915_SHIM_NODE_MODE=mode, **more)


def owned(group):
    return f"{MAKE_NODE}; chgrp {group} $I915_SHIM_ROOT/dev/dri/renderD128"


# Inside a container the host's number is what is wanted.
WHICH_GROUP = f"stat -c %g {NODE}"
# Root of a container has nothing to do there.
AS_ROOT = [] if IN_CONTAINER else ["dmesg | grep -iE 'denied|avc'"]

PLACES = {
    "no node": Place([NO_DEVICE], shim=False, words=["no render node" if IN_CONTAINER else "no GPU"]),
    "container without a node": Place(["not-in-container"], shim=False, before=CONTAINER, words=["docker run --device"]),
    "a node that is not there": Place(["no-device"], arguments="--device /dev/dri/renderD200", words=["No such file"]),
    "no permission, as root": Place(["access-denied"], before=owned("video"), I915_SHIM_FAULT=DENIED, words=["to root"],
                                    commands=AS_ROOT),
    "no permission": plain(["access-denied"], "video", words=["container" if IN_CONTAINER else "group video"],
                           commands=[WHICH_GROUP if IN_CONTAINER else 'sudo usermod -aG video "$USER"']),
    "foreign group": plain(["access-denied"], "4711", words=["no name here"], commands=[WHICH_GROUP if IN_CONTAINER else (
        f'sudo groupadd -g "$(stat -c %g {NODE})" gpu && sudo usermod -aG gpu "$USER"')]),
    "another's group": plain(["access-denied"], "mail", words=["another group than render"], commands=[
        WHICH_GROUP if IN_CONTAINER else f'sudo usermod -aG "$(stat -c %G {NODE})" "$USER"']),
    "a node for its owner alone": plain(["access-denied"], "video", mode="0600", words=["mode is 0600"], commands=(
        [] if IN_CONTAINER else [f'sudo chmod 0660 {NODE} && sudo usermod -aG video "$USER"'])),
    "container, foreign group": plain(["access-denied"], "4711", before=CONTAINER, words=["docker run --group-add"],
                                      commands=[WHICH_GROUP]),
    "container, no permission, as root": Place(["access-denied"], before=f"{CONTAINER} && {owned('4711')}",
                                               I915_SHIM_FAULT=DENIED, words=["to root", "podman run"]),
    "no GPU's device": Place(["no-device"], arguments="--device /dev/null", words=["no GPU's", "name a render node"]),
    "container, another node": Place(["no-device"], before=CONTAINER, arguments="--device /dev/dri/renderD200",
                                     words=["name a render node"]),
    "wrong driver name": Place(["driver-missing"], commands=["unset LIBVA_DRIVER_NAME"], LIBVA_DRIVER_NAME="nvidia"),
    "driver missing": Place(["driver-missing"], before=HIDE_DRIVERS, commands=["apt install intel-media-va-driver"]),
    "libva missing": Place(["library-missing"], before=HIDE_LIBVA, commands=["apt install libva2 libva-drm2"]),
    "free driver only": Place(["low-power-only"], words=["no B pictures"],
                              commands=["apt install intel-media-va-driver-non-free"]),
    "firmware missing": Place(["firmware-missing", "low-power-only"], I915_SHIM_FAULT="huc=absent",
                              words=["constant quantizers only"]),
    "firmware missing, not asked for": Place(["firmware-missing", "low-power-only"], I915_SHIM_FAULT="huc=absent",
                                             I915_SHIM_CHIP="adlp", commands=["apt install firmware-misc-nonfree"]),
    "nothing but low power on the chip": Place([], I915_SHIM_CHIP="ehl"),
    "driver that does not start": Place(["device-fails"], I915_SHIM_FAULT="create=enomem", words=["does not start"]),
    "free driver on Broadwell": Place(["decodes-only"], I915_SHIM_CHIP="bdw",
                                      commands=["apt install intel-media-va-driver-non-free"]),
    "i965 only": Place(["used-only-by-name"], before=ONLY_I965, I915_SHIM_CHIP="bdw", words=["newer driver iHD"]),
    "two GPUs, one broken": Place(["low-power-only", "device-fails"],
                                  before=f"{MAKE_NODE}; ln -s renderD129 $I915_SHIM_ROOT/dev/dri/renderD129"),
    "softva behind an X server": Place([], shim=False, prefix="xvfb-run -a", arguments="--device x11",
                                       LIBVA_DRIVERS_PATH=str(SOFTVA), LIBVA_DRIVER_NAME="softva"),
    "no X server": Place(["device-fails"], shim=False, arguments="--device x11:4711", words=["--device x11:0"]),
}


def probe(place, folder):
    """The report of a probe in the place, and what it shows."""
    variables = {"FOLDER": str(folder), "SHIM": str(SHIM), "I915_SHIM_ROOT": str(folder / "device"),
                 "I915_SHIM_CHIP": "tgl", **place.variables}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LIBVA")} | variables
    preload = f"env LD_PRELOAD={SHIM}" if place.shim else ""
    script = f"""
        {place.before or ":"}
        {place.prefix} {preload} {shlex.quote(str(ENCBENCH))} probe {place.arguments} --json $FOLDER/report.json
    """
    result = subprocess.run(["unshare", "-m", "bash", "-uc", script], env=environment, capture_output=True, text=True,
                            timeout=60, check=False)
    report = folder / "report.json"
    if not report.exists():
        return None, result.stdout + result.stderr
    return json.loads(report.read_text(encoding="utf-8")), result.stdout + result.stderr


def is_known(command):
    """Whether what a command would use is there: packages that it installs, and the programs it runs."""
    words = [word for word in shlex.split(command.split("&&")[0]) if word != "sudo"]
    if words[:2] == ["apt", "install"]:
        return all(subprocess.run(["apt-cache", "show", word], capture_output=True, check=False).returncode == 0
                   for word in words[2:] if word != "firmware-misc-nonfree" and not word.endswith("-non-free"))
    return words[0] == "unset" or shutil.which(words[0]) is not None


def check(name):
    """What is wrong with what the probe says in a place."""
    place = PLACES[name]
    with tempfile.TemporaryDirectory() as folder:
        # A probe of somebody else's writes here too.
        os.chmod(folder, 0o777)
        report, shown = probe(place, Path(folder))
    if report is None:
        return [f"no report: {shown.strip()[-300:]}"]
    found = report["diagnoses"]
    wrong = []
    if [entry["code"] for entry in found] != place.codes:
        wrong.append(f"said {[(entry['code'], entry['problem']) for entry in found]}, expected {place.codes}")
    commands = [entry["command"] for entry in found if entry.get("command")]
    wrong += [f"no command {command}, but {commands}" for command in place.commands if command not in commands]
    wrong += [f"{command} cannot be done" for command in commands if not is_known(command)]
    wrong += [f"nothing shown has \"{word}\": {shown}" for word in place.words if word not in shown]
    return wrong


def main(names):
    lacking = needs("iHD", "free") or needs("i965", "free") or ("" if ENCBENCH.exists() else "encbench (swift build)")
    lacking = lacking or ("" if (SOFTVA / "softva_drv_video.so").exists() else "softva (make softva)")
    if not lacking and subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
        lacking = "mount namespaces (root)"
    if lacking:
        print(f"probe in its surroundings: SKIPPED, needs {lacking}")
        return 0
    failed = 0
    names = names or list(PLACES)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in zip(names, pool.map(check, names)):
            failed += bool(wrong)
            for line in wrong:
                print(f"{name}: {line}")
    print(f"probe in its surroundings: {len(names)}, {failed} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
