// SPDX-License-Identifier: MIT
// The pretended camera: what it answers to the requests of Video4Linux, from memory.
#ifndef V4L2_SHIM_CAMERA_H
#define V4L2_SHIM_CAMERA_H

#include <stdbool.h>

/// Opens the camera; the file is memory that the buffers lie in. -1 with errno where it cannot be opened.
int camera_open(int flags);

/// Whether a file is the camera.
bool camera_is(int file);

/// Answers a request; -1 with errno as a driver does.
int camera_request(int file, unsigned long request, void *argument);

/// Forgets a file that is closed.
void camera_close(int file);

#endif
