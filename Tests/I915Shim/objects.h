// SPDX-License-Identifier: MIT
// Buffer objects: memory of the pretended device, each a file in memory. One lock guards them all; whoever calls these
// functions holds it.
#ifndef I915_SHIM_OBJECTS_H
#define I915_SHIM_OBJECTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    uint32_t handle;
    int references;
    int file;  // -1 for memory of the application
    uint8_t *memory;
    uint64_t size, address;  // of the device's address space
    uint32_t tiling, stride, caching, global_name;
    ino_t inode;
} shim_object;

extern pthread_mutex_t shim_lock;

/// The object with that handle, or null.
shim_object *shim_object_of(uint32_t handle);
/// The object that holds the file, or null.
shim_object *shim_object_of_file(int file);
/// The object that holds the address, or null.
shim_object *shim_object_at(uint64_t address);
/// Where the device's `length` bytes at `address` are in this process; null unless one object holds them all.
void *shim_memory_at(uint64_t address, size_t length);

/// Makes an object of `file`, which it closes in the end, of the application's `memory`, or else, with -1 and null, of
/// new memory. Null with errno if there is none; `file` is then closed.
shim_object *shim_object_make(uint64_t size, int file, void *memory);
/// Gives up a reference.
void shim_object_drop(shim_object *object);
/// Whether the object has any of the `size` bytes at `address`.
bool shim_object_overlaps(const shim_object *object, uint64_t address, uint64_t size);
/// Puts the object at `address`; others that are in its way move, as the kernel would move them.
void shim_object_pin(shim_object *object, uint64_t address);

/// What an application passes to mmap() to see the object.
uint64_t shim_object_map_offset(const shim_object *object);

#endif
