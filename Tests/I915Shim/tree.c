// SPDX-License-Identifier: MIT
// All is done by system calls, because the libc calls come back here.
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "log.h"

typedef struct {
    const char *name, *by_path;
    unsigned minor;
    ino_t file;
} Node;

static Node nodes[] = {{"renderD128", "render", 128, 0}, {"card0", "card", 0, 0}};
#define NODE_COUNT (sizeof nodes / sizeof *nodes)
static dev_t node_device;
static unsigned node_mode;
static char root[PATH_MAX / 2];
static size_t root_length;

/// Below the root: makes the file, or gives it these bytes. Never shorter in between, as another process may read it.
static void put_bytes(const char *path, const void *bytes, size_t length) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    int file = (int)syscall(SYS_openat, AT_FDCWD, full, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 || pwrite(file, bytes, length, 0) != (ssize_t)length || ftruncate(file, (off_t)length) != 0) {
        shim_refuse("I915_SHIM_ROOT", root, "a folder that can be written");
    }
    close(file);
}

__attribute__((format(printf, 2, 3))) static void put_text(const char *path, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_bytes(path, text, (size_t)length);
}

/// Below the root: makes the folder and those above it.
static void put_folder(const char *path) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        mkdir(full, 0777);
        *slash = '/';
    }
    mkdir(full, 0777);
}

static void put_link(const char *path, const char *target) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    if (symlink(target, full) != 0 && errno != EEXIST) {
        shim_refuse("I915_SHIM_ROOT", root, "a folder that can hold links");
    }
}

static void put_pci_device(const shim_chip *chip) {
    put_folder(SHIM_PCI_FOLDER "/drm");
    put_folder("/sys/bus/pci/drivers/i915");
    put_folder("/sys/bus/pci/devices");
    put_text(SHIM_PCI_FOLDER "/vendor", "0x8086\n");
    put_text(SHIM_PCI_FOLDER "/device", "0x%04x\n", chip->id);
    put_text(SHIM_PCI_FOLDER "/subsystem_vendor", "0x8086\n");
    put_text(SHIM_PCI_FOLDER "/subsystem_device", "0x2212\n");
    put_text(SHIM_PCI_FOLDER "/revision", "0x%02x\n", chip->revision);
    put_text(SHIM_PCI_FOLDER "/class", "0x030000\n");
    put_text(SHIM_PCI_FOLDER "/boot_vga", "1\n");
    put_text(SHIM_PCI_FOLDER "/enable", "1\n");
    put_text(SHIM_PCI_FOLDER "/uevent",
             "DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:2212\nPCI_SLOT_NAME=" SHIM_PCI_SLOT
             "\n",
             chip->id);
    unsigned char header[64] = {0x86, 0x80, chip->id & 255, chip->id >> 8, 7, 4, 0x10, 0, chip->revision, 0, 0, 3};
    memcpy(header + 0x2c, "\x86\x80\x12\x22", 4);
    put_bytes(SHIM_PCI_FOLDER "/config", header, sizeof header);
    put_link(SHIM_PCI_FOLDER "/subsystem", "../../../bus/pci");
    put_link(SHIM_PCI_FOLDER "/driver", "../../../bus/pci/drivers/i915");
    put_link("/sys/bus/pci/devices/" SHIM_PCI_SLOT, "../../../devices/pci0000:00/" SHIM_PCI_SLOT);
}

static void put_node(Node *node) {
    char path[256], target[256];
    snprintf(path, sizeof path, "/dev/dri/%s", node->name);
    put_bytes(path, "", 0);
    char full[PATH_MAX];
    struct stat status;
    snprintf(full, sizeof full, "%s%s", root, path);
    if (syscall(SYS_newfstatat, AT_FDCWD, full, &status, 0) != 0) {
        shim_refuse("I915_SHIM_ROOT", root, "a folder that can be read");
    }
    node_device = status.st_dev;
    node->file = status.st_ino;

    snprintf(path, sizeof path, SHIM_PCI_FOLDER "/drm/%s", node->name);
    put_folder(path);
    snprintf(path, sizeof path, SHIM_PCI_FOLDER "/drm/%s/dev", node->name);
    put_text(path, "%d:%u\n", SHIM_DRM_MAJOR, node->minor);
    snprintf(path, sizeof path, SHIM_PCI_FOLDER "/drm/%s/uevent", node->name);
    put_text(path, "MAJOR=%d\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", SHIM_DRM_MAJOR, node->minor, node->name);
    snprintf(path, sizeof path, SHIM_PCI_FOLDER "/drm/%s/device", node->name);
    put_link(path, "../../../" SHIM_PCI_SLOT);
    snprintf(path, sizeof path, SHIM_PCI_FOLDER "/drm/%s/subsystem", node->name);
    put_link(path, "../../../../../class/drm");

    snprintf(target, sizeof target, "../../devices/pci0000:00/" SHIM_PCI_SLOT "/drm/%s", node->name);
    snprintf(path, sizeof path, "/sys/dev/char/%d:%u", SHIM_DRM_MAJOR, node->minor);
    put_link(path, target);
    snprintf(path, sizeof path, "/sys/class/drm/%s", node->name);
    put_link(path, target);
    snprintf(path, sizeof path, "/dev/dri/by-path/pci-" SHIM_PCI_SLOT "-%s", node->by_path);
    snprintf(target, sizeof target, "../%s", node->name);
    put_link(path, target);
}

void shim_tree_make(const shim_settings *settings) {
    snprintf(root, sizeof root, "%s", settings->root);
    root_length = strlen(root);
    node_mode = settings->node_mode;
    put_pci_device(&settings->chip);
    put_folder("/dev/dri/by-path");
    put_folder("/sys/dev/char");
    put_folder("/sys/class/drm");
    for (size_t i = 0; i < NODE_COUNT; i++) put_node(&nodes[i]);
}

/// Whether `path` is `folder` or below it.
static bool is_under(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

const char *shim_redirect(const char *path, char buffer[PATH_MAX]) {
    if (!path || (strncmp(path, "/dev", 4) != 0 && strncmp(path, "/sys", 4) != 0)) return path;
    bool pretended = is_under(path, "/dev/dri") || strncmp(path, "/sys/dev/char/226:", 18) == 0 ||
                     is_under(path, "/sys/class/drm") || is_under(path, SHIM_PCI_FOLDER) ||
                     is_under(path, "/sys/bus/pci");
    if (!pretended) return path;
    shim_get();
    if (snprintf(buffer, PATH_MAX, "%s%s", root, path) >= PATH_MAX) return path;
    shim_log(3, "path %s\n", path);
    return buffer;
}

ssize_t shim_strip_root(char *path, ssize_t length) {
    if (root_length == 0 || length <= (ssize_t)root_length || strncmp(path, root, root_length) != 0) return length;
    length -= (ssize_t)root_length;
    memmove(path, path + root_length, (size_t)length);
    return length;
}

int shim_node_minor(dev_t device, ino_t file) {
    if (device != node_device) return -1;
    for (size_t i = 0; i < NODE_COUNT; i++) {
        if (nodes[i].file == file && file != 0) return (int)nodes[i].minor;
    }
    return -1;
}

unsigned shim_node_mode(void) { return S_IFCHR | node_mode; }

void shim_dress(struct stat *status) {
    int minor = shim_node_minor(status->st_dev, status->st_ino);
    if (minor < 0) return;
    status->st_mode = shim_node_mode();
    status->st_rdev = makedev(SHIM_DRM_MAJOR, (unsigned)minor);
    status->st_size = 0;
}

bool shim_is_device(int descriptor) {
    struct stat status;
    int saved = errno;
    bool known = descriptor >= 0 && syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH) == 0 &&
                 shim_node_minor(status.st_dev, status.st_ino) >= 0;
    errno = saved;
    return known;
}
