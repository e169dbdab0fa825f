// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CV4L2_H
#define ENCODERKIT_CV4L2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A format, size and rate that a device of Video4Linux states.
typedef struct CV4L2Mode {
    /// The four characters of the format, the first one lowest.
    uint32_t fourcc;
    bool is_compressed;
    /// The smallest size; that of all where the device has steps of 0.
    uint32_t width, height;
    /// The largest size, and the steps between; equal and 0 where there is one size.
    uint32_t max_width, max_height, step_width, step_height;
    /// Frames in so many seconds, the fastest and the slowest; 0/0 where the device does not say.
    uint32_t rate_numerator, rate_denominator;
    uint32_t min_rate_numerator, min_rate_denominator;
} CV4L2Mode;

/// What a device says of itself.
typedef struct CV4L2Device {
    /// Its name, ended by a zero.
    char name[33];
    /// Whether it gives pictures, and can stream them.
    bool is_camera;
    /// How many modes it states, of which those that there is room for are listed.
    size_t mode_count;
} CV4L2Device;

/// Asks a node for its name and modes.
///
/// Returns 0, or errno where it cannot be opened or is no device of Video4Linux. No device is asked for more than
/// `capacity` modes.
int cv4l2_ask(const char *_Nonnull path, CV4L2Device *_Nonnull device, CV4L2Mode *_Nonnull modes, size_t capacity);

#endif
