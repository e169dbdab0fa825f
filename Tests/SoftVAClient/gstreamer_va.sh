#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the encoders of GStreamer's `va` plugin on softva. The plugin asks udev for render nodes: it is given the device
# of i915-shim as the system's, in a mount namespace of its own, which takes root.
#
#   Tests/SoftVAClient/gstreamer_va.sh FOLDER SHIM     where softva_drv_video.so is, and i915-shim.so
set -uo pipefail

if [ "${1:-}" = inside ]; then
    set -e
    # The shim makes its folder when a program starts that uses it.
    env LD_PRELOAD="$SHIM" true
    for part in class dev devices; do
        mkdir -p "$I915_SHIM_ROOT/sys/$part"
        mount --bind "$I915_SHIM_ROOT/sys/$part" "/sys/$part"
    done
    mkdir -p /run/udev /dev/dri
    mount -t tmpfs tmpfs /run/udev
    mount -t tmpfs tmpfs /dev/dri
    mkdir /run/udev/data
    touch /dev/dri/renderD128
    # What udev would have noted of the node.
    printf 'I:1\nE:ID_PATH=pci-0000:00:02.0\n' >/run/udev/data/c226:128
    exec env LD_PRELOAD="$SHIM" SYSTEMD_DEVICE_VERIFY_SYSFS=0 "${@:2}"
fi

for program in gst-launch-1.0 ffmpeg ffprobe; do
    command -v "$program" >/dev/null || { echo "gstreamer on softva: SKIPPED, needs $program"; exit 0; }
done
unshare -m true 2>/dev/null || { echo "gstreamer on softva: SKIPPED, needs mount namespaces (root)"; exit 0; }
[ $# = 2 ] || { echo "usage: $0 FOLDER SHIM, such as .build/softva .build/i915-shim/i915-shim.so" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SHIM=$(realpath "$2")
export SHIM I915_SHIM_ROOT=$folder/device GST_REGISTRY GST_REGISTRY_FORK=no
export LIBVA_DRIVERS_PATH LIBVA_DRIVER_NAME=softva SOFTVA_PERSONALITY
LIBVA_DRIVERS_PATH=$(realpath "$1")
source="videotestsrc num-buffers=12 ! video/x-raw,format=NV12,width=320,height=240,framerate=25/1"

count=0 failed=0
for SOFTVA_PERSONALITY in strict ihd-tgl ihd-mtl radeonsi-new i965; do
    # Elements of another driver stay in a registry where the node is as old, to the second.
    GST_REGISTRY=$folder/registry-$SOFTVA_PERSONALITY
    for codec in h264 h265; do
        # Intel's old driver has no HEVC in softva.
        [ "$SOFTVA_PERSONALITY $codec" != "i965 h265" ] || continue
        element=va${codec}enc
        [ "$SOFTVA_PERSONALITY" != ihd-tgl ] || element=va${codec}lpenc
        for rate in "rate-control=cqp qpi=28 qpp=30 qpb=32" "rate-control=cbr bitrate=600"; do
            count=$((count + 1))
            # shellcheck disable=SC2086
            said=$(timeout 60 unshare -m bash "$0" inside gst-launch-1.0 -q $source ! "$element" $rate ! "${codec}parse" ! \
                filesink location="$folder/out.$codec" 2>&1 &&
                ffmpeg -v warning -xerror -err_detect explode -i "$folder/out.$codec" -f null - 2>&1 </dev/null)
            shown=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$folder/out.$codec" 2>&1)
            if [ -n "$said" ] || [ "$shown" != 12 ]; then
                failed=$((failed + 1))
                echo "$SOFTVA_PERSONALITY $element $rate: $shown pictures: ${said:0:300}"
            fi
            rm -f "$folder/out.$codec"
        done
    done
done
echo "gstreamer on softva: $count streams, $failed failed"
[ "$failed" = 0 ]
