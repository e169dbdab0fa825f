// SPDX-License-Identifier: MIT
#include "softva_config.h"

#include <stdlib.h>
#include <va/va_drmcommon.h>

static const VAProfile profiles[] = {VAProfileH264ConstrainedBaseline, VAProfileH264Main, VAProfileH264High,
                                     VAProfileHEVCMain, VAProfileHEVCMain10};

static sv_codec codec_of(VAProfile profile) {
    return profile == VAProfileHEVCMain || profile == VAProfileHEVCMain10 ? SV_HEVC : SV_H264;
}

/// What the driver says of a profile, NULL if it does not encode it.
static const sv_caps *caps_of(const sv_driver *driver, VAProfile profile) {
    bool known = false;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) known = known || profiles[i] == profile;
    const sv_caps *caps = codec_of(profile) == SV_HEVC ? &driver->personality->hevc : &driver->personality->h264;
    bool offered = known && sv_codec_is_linked(codec_of(profile)) && caps->entrypoint != 0;
    return offered && (profile != VAProfileHEVCMain10 || caps->ten_bit) ? caps : NULL;
}

VAStatus sv_query_profiles(sv_driver *driver, VAProfile *list, int *count) {
    *count = 0;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        if (caps_of(driver, profiles[i])) list[(*count)++] = profiles[i];
    }
    return VA_STATUS_SUCCESS;
}

VAStatus sv_query_entrypoints(sv_driver *driver, VAProfile profile, VAEntrypoint *entrypoints, int *count) {
    const sv_caps *caps = caps_of(driver, profile);
    *count = caps ? 1 : 0;
    if (!caps) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    entrypoints[0] = caps->entrypoint;
    return VA_STATUS_SUCCESS;
}

/// The rate control that is advertised; a driver that lies lists more than it has.
static uint32_t advertised_rates(const sv_caps *caps) {
    sv_fault_action action = sv_fault_at(SV_AT_CAPS).action;
    bool lies = action == SV_LIE_CREATE || action == SV_LIE_CODE;
    return caps->rate_control | (lies ? VA_RC_CBR | VA_RC_VBR : 0);
}

static uint32_t attribute(const sv_driver *driver, VAProfile profile, const sv_caps *caps, VAConfigAttribType type) {
    bool hevc = codec_of(profile) == SV_HEVC;
    switch (type) {
        case VAConfigAttribRTFormat:
            return profile == VAProfileHEVCMain10 ? VA_RT_FORMAT_YUV420 | VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
        case VAConfigAttribRateControl: return advertised_rates(caps);
        case VAConfigAttribEncPackedHeaders: return caps->packed_headers;
        case VAConfigAttribEncInterlaced: return VA_ENC_INTERLACED_NONE;
        case VAConfigAttribEncMaxRefFrames:
            return profile == VAProfileH264ConstrainedBaseline ? caps->references & 0xffff : caps->references;
        case VAConfigAttribEncMaxSlices: return caps->slices;
        case VAConfigAttribEncSliceStructure: return caps->slice_structure;
        case VAConfigAttribMaxPictureWidth:
        case VAConfigAttribMaxPictureHeight: return (uint32_t)driver->personality->max_side;
        case VAConfigAttribEncQualityRange: return caps->quality;
        case VAConfigAttribEncROI: return caps->roi ? caps->roi : VA_ATTRIB_NOT_SUPPORTED;
        case VAConfigAttribMaxFrameSize: return driver->personality->limits_frames ? 1 : VA_ATTRIB_NOT_SUPPORTED;
        case VAConfigAttribPredictionDirection:
            if (!caps->direction) return VA_ATTRIB_NOT_SUPPORTED;
            return profile == VAProfileH264ConstrainedBaseline ? VA_PREDICTION_DIRECTION_PREVIOUS : caps->direction;
        case VAConfigAttribEncHEVCFeatures: return hevc ? caps->hevc_features : VA_ATTRIB_NOT_SUPPORTED;
        case VAConfigAttribEncHEVCBlockSizes: return hevc ? caps->hevc_blocks : VA_ATTRIB_NOT_SUPPORTED;
        default: return VA_ATTRIB_NOT_SUPPORTED;
    }
}

VAStatus sv_get_attributes(sv_driver *driver, VAProfile profile, VAEntrypoint entrypoint, VAConfigAttrib *attributes,
                           int count) {
    const sv_caps *caps = caps_of(driver, profile);
    if (!caps) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    if (caps->entrypoint != entrypoint) return VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
    if (!sv_can_list_attributes(attributes, count, "vaGetConfigAttributes")) return VA_STATUS_ERROR_INVALID_PARAMETER;
    for (int i = 0; i < count; i++) attributes[i].value = attribute(driver, profile, caps, attributes[i].type);
    return VA_STATUS_SUCCESS;
}

/// Takes one attribute of a configuration, or says why not.
static VAStatus apply(const sv_driver *driver, sv_config *config, const VAConfigAttrib *wanted) {
    uint32_t offered = attribute(driver, config->profile, config->caps, wanted->type);
    switch (wanted->type) {
        case VAConfigAttribRTFormat:
            if ((wanted->value & offered) != wanted->value || wanted->value == 0) {
                return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
            }
            config->rt_format = wanted->value;
            return VA_STATUS_SUCCESS;
        case VAConfigAttribRateControl: {
            uint32_t mode = wanted->value & ~(uint32_t)VA_RC_MB;
            bool one = mode != 0 && (mode & (mode - 1)) == 0;
            if (!one || (wanted->value & offered) != wanted->value) return VA_STATUS_ERROR_INVALID_VALUE;
            bool lie = (mode & config->caps->rate_control) == 0;
            if (lie && sv_fault_at(SV_AT_CAPS).action == SV_LIE_CREATE) {
                sv_fault_note_lie(SV_LIE_CREATE);
                return VA_STATUS_ERROR_INVALID_VALUE;
            }
            config->rate_control = wanted->value;
            return VA_STATUS_SUCCESS;
        }
        case VAConfigAttribEncPackedHeaders:
            if ((wanted->value & offered) != wanted->value) return VA_STATUS_ERROR_INVALID_VALUE;
            config->packed_headers = wanted->value;
            return VA_STATUS_SUCCESS;
        default: return wanted->value == offered ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_VALUE;
    }
}

VAStatus sv_create_config(sv_driver *driver, VAProfile profile, VAEntrypoint entrypoint, VAConfigAttrib *attributes,
                          int count, VAConfigID *id) {
    VAStatus struck = sv_strike(driver, SV_AT_CREATE_CONFIG);
    if (struck) return struck;
    const sv_caps *caps = caps_of(driver, profile);
    if (!caps) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    if (caps->entrypoint != entrypoint) return VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
    if (!sv_can_list_attributes(attributes, count, "vaCreateConfig")) return VA_STATUS_ERROR_INVALID_PARAMETER;
    sv_config config = {profile, entrypoint, codec_of(profile), VA_RT_FORMAT_YUV420, VA_RC_CQP, 0, caps};
    for (int i = 0; i < count; i++) {
        VAStatus refused = apply(driver, &config, &attributes[i]);
        if (refused) return refused;
    }
    sv_config *object = malloc(sizeof *object);
    if (!object) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    *object = config;
    if (sv_object_add(driver, SV_CONFIG, object, id)) return VA_STATUS_SUCCESS;
    free(object);
    return VA_STATUS_ERROR_ALLOCATION_FAILED;
}

VAStatus sv_destroy_config(sv_driver *driver, VAConfigID id) {
    sv_config *config = sv_object_remove(driver, SV_CONFIG, id);
    free(config);
    return config ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_CONFIG;
}

VAStatus sv_query_config(sv_driver *driver, VAConfigID id, VAProfile *profile, VAEntrypoint *entrypoint,
                         VAConfigAttrib *attributes, int *count) {
    const sv_config *config = sv_object(driver, SV_CONFIG, id);
    if (!config) return VA_STATUS_ERROR_INVALID_CONFIG;
    *profile = config->profile;
    *entrypoint = config->entrypoint;
    attributes[0] = (VAConfigAttrib){VAConfigAttribRTFormat, config->rt_format};
    attributes[1] = (VAConfigAttrib){VAConfigAttribRateControl, config->rate_control};
    attributes[2] = (VAConfigAttrib){VAConfigAttribEncPackedHeaders, config->packed_headers};
    *count = 3;
    return VA_STATUS_SUCCESS;
}

static VASurfaceAttrib integer(VASurfaceAttribType type, uint32_t flags, int value) {
    return (VASurfaceAttrib){.type = type, .flags = flags, .value = {VAGenericValueTypeInteger, {value}}};
}

VAStatus sv_query_surface_attributes(sv_driver *driver, VAConfigID id, VASurfaceAttrib *attributes, unsigned *count) {
    const sv_config *config = sv_object(driver, SV_CONFIG, id);
    if (!config) return VA_STATUS_ERROR_INVALID_CONFIG;
    const sv_personality *personality = driver->personality;
    const uint32_t both = VA_SURFACE_ATTRIB_GETTABLE | VA_SURFACE_ATTRIB_SETTABLE;
    VASurfaceAttrib all[9];
    unsigned n = 0;
    if (config->rt_format & VA_RT_FORMAT_YUV420) all[n++] = integer(VASurfaceAttribPixelFormat, both, VA_FOURCC_NV12);
    if (config->rt_format & VA_RT_FORMAT_YUV420_10) {
        all[n++] = integer(VASurfaceAttribPixelFormat, both, VA_FOURCC_P010);
    }
    all[n++] = integer(VASurfaceAttribMinWidth, VA_SURFACE_ATTRIB_GETTABLE, personality->min_side);
    all[n++] = integer(VASurfaceAttribMinHeight, VA_SURFACE_ATTRIB_GETTABLE, personality->min_side);
    all[n++] = integer(VASurfaceAttribMaxWidth, VA_SURFACE_ATTRIB_GETTABLE, personality->max_side);
    all[n++] = integer(VASurfaceAttribMaxHeight, VA_SURFACE_ATTRIB_GETTABLE, personality->max_side);
    all[n++] = integer(VASurfaceAttribMemoryType, both,
                       VA_SURFACE_ATTRIB_MEM_TYPE_VA | VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2);
    all[n] = integer(VASurfaceAttribExternalBufferDescriptor, VA_SURFACE_ATTRIB_SETTABLE, 0);
    all[n++].value.type = VAGenericValueTypePointer;

    unsigned capacity = *count;
    *count = n;
    if (!attributes) return VA_STATUS_SUCCESS;
    if (capacity < n) return VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
    for (unsigned i = 0; i < n; i++) attributes[i] = all[i];
    return VA_STATUS_SUCCESS;
}
