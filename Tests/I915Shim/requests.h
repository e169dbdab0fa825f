// SPDX-License-Identifier: MIT
// The requests (ioctl) of the pretended device. Each function returns 0, or -1 with errno.
#ifndef I915_SHIM_REQUESTS_H
#define I915_SHIM_REQUESTS_H

#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <stdbool.h>

int shim_fail(int error);
/// A request that all DRM devices know, by its number.
int shim_core_request(unsigned number, void *argument);
/// A request of i915, by its number above DRM_COMMAND_BASE.
int shim_i915_request(unsigned number, void *argument);
/// A request of i915 about one buffer object.
int shim_object_request(unsigned number, void *argument);
int shim_submit(struct drm_i915_gem_execbuffer2 *request);
int shim_get_parameter(struct drm_i915_getparam *request);
int shim_context_parameter(struct drm_i915_gem_context_param *request, bool sets);
int shim_query(struct drm_i915_query *request);

#endif
