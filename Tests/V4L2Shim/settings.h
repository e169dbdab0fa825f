// SPDX-License-Identifier: MIT
// What the pretended camera is like, from the environment.
#ifndef V4L2_SHIM_SETTINGS_H
#define V4L2_SHIM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

enum { most_modes = 16 };

typedef struct Mode {
    uint32_t fourcc, width, height, rate;
} Mode;

typedef struct Settings {
    /// V4L2_SHIM_NODE: the node that is the camera; /dev/video0 by default.
    const char *node;
    /// V4L2_SHIM_MODES: FOURCC:WIDTHxHEIGHT@RATE, separated by commas.
    Mode modes[most_modes];
    size_t mode_count;
    /// V4L2_SHIM_OPEN: errno that opening the node gives; 0 for none.
    int open_error;
    /// V4L2_SHIM_STREAM: errno that starting to stream gives; 0 for none.
    int stream_error;
    /// V4L2_SHIM_LOST: of a hundred frames so many are lost, by chance from V4L2_SHIM_SEED.
    unsigned lost_percent;
    uint64_t seed;
    /// V4L2_SHIM_VANISH: after so many frames the camera is gone; 0 for never.
    unsigned vanish;
    /// V4L2_SHIM_STALL: after so many frames nothing comes any more; 0 for never.
    unsigned stall;
    /// V4L2_SHIM_DAMAGED: each frame of this number is marked as damaged; 0 for none.
    unsigned damaged;
    /// V4L2_SHIM_DARK: the first so many frames become bright step by step.
    unsigned dark;
    /// V4L2_SHIM_JPEG: a file that is each frame of a camera in MJPG.
    const char *jpeg;
    /// V4L2_SHIM_LOG: a file that is told of each frame.
    const char *log;
} Settings;

/// The settings, read on the first call.
const Settings *shim_settings(void);

#endif
