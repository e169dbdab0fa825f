// SPDX-License-Identifier: MIT
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interpose.h"
#include "log.h"
#include "tree.h"

#define PAGE 4096ull
#define ADDRESS_MASK ((1ull << 48) - 1)
// An offset for mmap() is a handle above these bits, in a range that no file has.
#define MAP_BASE (1ull << 56)
#define MAP_SHIFT 34

pthread_mutex_t shim_lock = PTHREAD_MUTEX_INITIALIZER;

// By handle. The first is never used.
static shim_object **objects;
static uint32_t capacity;

shim_object *shim_object_of(uint32_t handle) { return handle < capacity ? objects[handle] : NULL; }

shim_object *shim_object_of_file(int file) {
    struct stat status;
    if (syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH) != 0) return NULL;
    for (uint32_t handle = 1; handle < capacity; handle++) {
        shim_object *object = objects[handle];
        if (object && object->file >= 0 && object->inode == status.st_ino) return object;
    }
    return NULL;
}

static bool holds(const shim_object *object, uint64_t address, size_t length) {
    return object && address >= object->address && address + length <= object->address + object->size;
}

shim_object *shim_object_at(uint64_t address) {
    // Commands mostly follow each other in one object.
    static uint32_t last;
    address &= ADDRESS_MASK;
    if (holds(shim_object_of(last), address, 1)) return objects[last];
    for (uint32_t handle = 1; handle < capacity; handle++) {
        if (!holds(objects[handle], address, 1)) continue;
        last = handle;
        return objects[handle];
    }
    return NULL;
}

void *shim_memory_at(uint64_t address, size_t length) {
    address &= ADDRESS_MASK;
    shim_object *object = shim_object_at(address);
    return holds(object, address, length) ? object->memory + (address - object->address) : NULL;
}

bool shim_object_overlaps(const shim_object *object, uint64_t address, uint64_t size) {
    address &= ADDRESS_MASK;
    return object && address < object->address + object->size && object->address < address + size;
}

/// The lowest gap of the address space: old chips have 32 bits for an address.
static uint64_t free_address(uint64_t size) {
    uint64_t address = 0x10000;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t handle = 1; handle < capacity; handle++) {
            if (!shim_object_overlaps(objects[handle], address, size)) continue;
            address = (objects[handle]->address + objects[handle]->size + 0xffff) & ~0xffffull;
            moved = true;
        }
    }
    return address;
}

/// A handle that nothing has, or 0 without memory.
static uint32_t free_handle(void) {
    for (uint32_t handle = 1; handle < capacity; handle++) {
        if (!objects[handle]) return handle;
    }
    uint32_t larger = capacity ? capacity * 2 : 256;
    shim_object **table = realloc(objects, larger * sizeof *table);
    if (!table) return 0;
    memset(table + capacity, 0, (larger - capacity) * sizeof *table);
    uint32_t handle = capacity ? capacity : 1;
    objects = table;
    capacity = larger;
    return handle;
}

/// Maps `file`, or a new one if it is -1; false with errno.
static bool map_file(shim_object *object, int file) {
    if (file < 0) {
        file = memfd_create("i915-object", MFD_CLOEXEC);
        if (file < 0) return false;
        if (ftruncate(file, (off_t)object->size) != 0) {
            close(file);
            return false;
        }
    }
    object->file = file;
    object->memory = (void *)syscall(SYS_mmap, NULL, object->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct stat status;
    if (object->memory == MAP_FAILED || syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH) != 0) {
        close(file);
        return false;
    }
    object->inode = status.st_ino;
    return true;
}

shim_object *shim_object_make(uint64_t size, int file, void *memory) {
    uint32_t handle = free_handle();
    shim_object *object = calloc(1, sizeof *object);
    if (object) *object = (shim_object){.references = 1, .file = -1, .memory = memory};
    if (object) object->size = (size + PAGE - 1) & ~(PAGE - 1);
    if (!object || handle == 0 || (!memory && !map_file(object, file))) {
        shim_log(0, "no memory for %llu bytes: %s\n", (unsigned long long)size, strerror(errno));
        free(object);
        return NULL;
    }
    object->handle = handle;
    object->address = free_address(object->size);
    objects[handle] = object;
    return object;
}

void shim_object_drop(shim_object *object) {
    if (--object->references > 0) return;
    objects[object->handle] = NULL;
    if (object->file >= 0) {
        munmap(object->memory, object->size);
        close(object->file);
    }
    free(object);
}

void shim_object_pin(shim_object *object, uint64_t address) {
    address &= ADDRESS_MASK;
    if (object->address == address) return;
    object->address = address;
    for (uint32_t handle = 1; handle < capacity; handle++) {
        shim_object *other = objects[handle];
        if (other == object || !shim_object_overlaps(other, address, object->size)) continue;
        other->address = free_address(other->size);
    }
}

uint64_t shim_object_map_offset(const shim_object *object) {
    return MAP_BASE + ((uint64_t)object->handle << MAP_SHIFT);
}

static void *map_object(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    if (file < 0 || (uint64_t)offset < MAP_BASE || !shim_is_device(file)) {
        return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
    }
    pthread_mutex_lock(&shim_lock);
    shim_object *object = shim_object_of((uint32_t)(((uint64_t)offset - MAP_BASE) >> MAP_SHIFT));
    off64_t inside = offset & ((1ll << MAP_SHIFT) - 1);
    void *memory = MAP_FAILED;
    if (object && object->file >= 0) {
        memory = (void *)syscall(SYS_mmap, address, length, protection, flags, object->file, inside);
    } else {
        errno = EINVAL;
    }
    pthread_mutex_unlock(&shim_lock);
    return memory;
}

EXPORTED void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return map_object(address, length, protection, flags, file, offset);
}

EXPORTED void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    return map_object(address, length, protection, flags, file, offset);
}
