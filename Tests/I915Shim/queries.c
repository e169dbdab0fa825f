// SPDX-License-Identifier: MIT
// What the device says about itself in structures: DRM_I915_QUERY.
#include <errno.h>
#include <string.h>

#include "log.h"
#include "requests.h"
#include "settings.h"

static size_t describe_topology(const shim_chip *chip, struct drm_i915_query_topology_info *info) {
    unsigned subslice_bytes = (chip->subslices + 7u) / 8, unit_bytes = (chip->units_per_subslice + 7u) / 8;
    info->max_slices = chip->slices;
    info->max_subslices = chip->subslices;
    info->max_eus_per_subslice = chip->units_per_subslice;
    info->subslice_offset = 1;
    info->subslice_stride = (uint16_t)subslice_bytes;
    info->eu_offset = (uint16_t)(1 + chip->slices * subslice_bytes);
    info->eu_stride = (uint16_t)unit_bytes;
    info->data[0] = (uint8_t)((1u << chip->slices) - 1);
    for (unsigned slice = 0; slice < chip->slices; slice++) {
        for (unsigned subslice = 0; subslice < chip->subslices; subslice++) {
            info->data[info->subslice_offset + slice * subslice_bytes + subslice / 8] |= (uint8_t)(1 << subslice % 8);
            uint8_t *units = info->data + info->eu_offset + (slice * chip->subslices + subslice) * unit_bytes;
            for (unsigned unit = 0; unit < chip->units_per_subslice; unit++) {
                units[unit / 8] |= (uint8_t)(1 << unit % 8);
            }
        }
    }
    return sizeof *info + info->eu_offset + (size_t)chip->slices * chip->subslices * unit_bytes;
}

static size_t describe_engines(const shim_chip *chip, struct drm_i915_query_engine_info *info) {
    const struct {
        uint16_t class;
        uint8_t count;
        uint64_t first, others;  // capabilities
    } kinds[] = {
        {I915_ENGINE_CLASS_RENDER, 1, 0, 0},
        {I915_ENGINE_CLASS_COPY, 1, 0, 0},
        {I915_ENGINE_CLASS_VIDEO, chip->video_engines,
         I915_VIDEO_CLASS_CAPABILITY_HEVC | I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC,
         I915_VIDEO_CLASS_CAPABILITY_HEVC},
        {I915_ENGINE_CLASS_VIDEO_ENHANCE, chip->enhancement_engines, I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC, 0},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (uint16_t i = 0; i < kinds[kind].count; i++) {
            struct drm_i915_engine_info *engine = &info->engines[info->num_engines++];
            engine->engine.engine_class = kinds[kind].class;
            engine->engine.engine_instance = i;
            engine->logical_instance = i;
            engine->flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
            engine->capabilities = i == 0 ? kinds[kind].first : kinds[kind].others;
        }
    }
    return sizeof *info + info->num_engines * sizeof info->engines[0];
}

static size_t describe_memory(const shim_chip *chip, struct drm_i915_query_memory_regions *info) {
    info->num_regions = chip->device_memory ? 2 : 1;
    for (uint32_t i = 0; i < info->num_regions; i++) {
        info->regions[i].region.memory_class = i ? I915_MEMORY_CLASS_DEVICE : I915_MEMORY_CLASS_SYSTEM;
        info->regions[i].probed_size = info->regions[i].unallocated_size = 8ull << 30;
    }
    return sizeof *info + info->num_regions * sizeof info->regions[0];
}

static void answer(struct drm_i915_query_item *item) {
    const shim_chip *chip = &shim_get()->chip;
    uint64_t room[512] = {0};
    size_t length;
    switch (item->query_id) {
        case DRM_I915_QUERY_TOPOLOGY_INFO: length = describe_topology(chip, (void *)room); break;
        case DRM_I915_QUERY_ENGINE_INFO: length = describe_engines(chip, (void *)room); break;
        case DRM_I915_QUERY_MEMORY_REGIONS: length = describe_memory(chip, (void *)room); break;
        default:
            shim_log(1, "query %llu is not known\n", (unsigned long long)item->query_id);
            item->length = -EINVAL;
            return;
    }
    if (item->length != 0 && (size_t)item->length < length) {
        item->length = -EINVAL;
        return;
    }
    if (item->length != 0) memcpy((void *)(uintptr_t)item->data_ptr, room, length);
    item->length = (int32_t)length;
}

int shim_query(struct drm_i915_query *request) {
    struct drm_i915_query_item *items = (void *)(uintptr_t)request->items_ptr;
    for (uint32_t i = 0; i < request->num_items; i++) answer(&items[i]);
    return 0;
}
