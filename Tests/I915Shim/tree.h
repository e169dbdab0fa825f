// SPDX-License-Identifier: MIT
// The folder that holds the pretended /dev/dri and /sys, and how its node file is told from other files.
#ifndef I915_SHIM_TREE_H
#define I915_SHIM_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "settings.h"

#define SHIM_PCI_SLOT "0000:00:02.0"
#define SHIM_PCI_FOLDER "/sys/devices/pci0000:00/" SHIM_PCI_SLOT
#define SHIM_DRM_MAJOR 226

/// Makes what is missing of the folder. Processes may do so at the same time.
void shim_tree_make(const shim_settings *settings);

/// The path to use in place of `path`: in `buffer` when it is redirected, else `path` itself.
const char *shim_redirect(const char *path, char buffer[PATH_MAX]);
/// Takes the folder's own path off the front of `path`; returns the new length.
ssize_t shim_strip_root(char *path, ssize_t length);

/// The minor number of the device node that the file is, or -1.
int shim_node_minor(dev_t device, ino_t file);
/// The type and permissions that a device node is said to have.
unsigned shim_node_mode(void);
/// Makes the status of a node file that of a character device.
void shim_dress(struct stat *status);
/// Whether the descriptor refers to a node file; a copy from dup(), a socket or fork() does too. Keeps errno.
bool shim_is_device(int descriptor);

#endif
