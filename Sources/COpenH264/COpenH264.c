// SPDX-License-Identifier: MIT
#include "COpenH264.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <wels/codec_ver.h>

// Of the versions that the headers may be of; without a number in packages for developers only.
static const char *const names[] = {"libopenh264.so.8", "libopenh264.so.7", "libopenh264.so.6", "libopenh264.so"};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __typeof__(WelsCreateSVCEncoder) *create;
static __typeof__(WelsDestroySVCEncoder) *destroy;
static char missing[256];
static char version[32];

/// Whether the library has the structures of the headers: they change with the minor version, sometimes under the same
/// name.
static bool fits(void *library) {
    __typeof__(WelsGetCodecVersionEx) *get = (__typeof__(get))dlsym(library, "WelsGetCodecVersionEx");
    OpenH264Version found = {0};
    if (get)
        get(&found);
    snprintf(version, sizeof version, "%u.%u.%u", found.uMajor, found.uMinor, found.uRevision);
    create = (__typeof__(create))dlsym(library, "WelsCreateSVCEncoder");
    destroy = (__typeof__(destroy))dlsym(library, "WelsDestroySVCEncoder");
    return create && destroy && found.uMajor == OPENH264_MAJOR && found.uMinor == OPENH264_MINOR;
}

// The library stays open for the life of the process.
static void load(void) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            continue;
        if (fits(library))
            return;
        dlclose(library);
    }
    const char *cure = *version ? "build again with its header (apt install libopenh264-dev)"
                                : "install it (apt install libopenh264-7)";
    snprintf(missing, sizeof missing, "no libopenh264 %d.%d%s%s; %s", OPENH264_MAJOR, OPENH264_MINOR,
             *version ? ", but " : "", version, cure);
    create = NULL;
    *version = 0;
}

const char *copenh264_missing(void) {
    pthread_once(&once, load);
    return create ? NULL : missing;
}

const char *copenh264_version(void) {
    copenh264_missing();
    return version;
}

static ISVCEncoder *make(void) {
    ISVCEncoder *encoder = NULL;
    return !copenh264_missing() && create(&encoder) == 0 ? encoder : NULL;
}

bool copenh264_defaults(SEncParamExt *parameters) {
    ISVCEncoder *encoder = make();
    if (!encoder)
        return false;
    (*encoder)->GetDefaultParams(encoder, parameters);
    destroy(encoder);
    return true;
}

ISVCEncoder *copenh264_open(const SEncParamExt *parameters, int level, WelsTraceCallback log, void *context, int *status) {
    *status = cmMallocMemeError;
    ISVCEncoder *encoder = make();
    if (!encoder)
        return NULL;
    // The context first: the library speaks as soon as it knows the function.
    (*encoder)->SetOption(encoder, ENCODER_OPTION_TRACE_CALLBACK_CONTEXT, &context);
    (*encoder)->SetOption(encoder, ENCODER_OPTION_TRACE_LEVEL, &level);
    (*encoder)->SetOption(encoder, ENCODER_OPTION_TRACE_CALLBACK, &log);
    *status = (*encoder)->InitializeExt(encoder, parameters);
    if (*status == cmResultSuccess)
        return encoder;
    destroy(encoder);
    return NULL;
}

void copenh264_close(ISVCEncoder *encoder) {
    (*encoder)->Uninitialize(encoder);
    destroy(encoder);
}

int copenh264_parameter_sets(ISVCEncoder *encoder, SFrameBSInfo *output) {
    return (*encoder)->EncodeParameterSets(encoder, output);
}

// The table's entry takes a layer too, which the header for C forgets: -1 is all of them.
static int force_idr(ISVCEncoder *encoder) {
    return ((int (*)(ISVCEncoder *, bool, int))(*encoder)->ForceIntraFrame)(encoder, true, -1);
}

int copenh264_encode(
    ISVCEncoder *encoder, const void *const planes[3], const int strides[3], int width, int height, long long milliseconds,
    bool is_key, SFrameBSInfo *output) {
    int status = is_key ? force_idr(encoder) : cmResultSuccess;
    if (status != cmResultSuccess)
        return status;
    SSourcePicture picture = {.iColorFormat = videoFormatI420, .iPicWidth = width, .iPicHeight = height};
    picture.uiTimeStamp = milliseconds;
    for (int i = 0; i < 3; i++) {
        // The library only reads through it.
        picture.pData[i] = (unsigned char *)planes[i];
        picture.iStride[i] = strides[i];
    }
    return (*encoder)->EncodeFrame(encoder, &picture, output);
}

int copenh264_change(ISVCEncoder *encoder, const SEncParamExt *parameters) {
    float frame_rate = parameters->fMaxFrameRate;
    int interval = (int)parameters->uiIntraPeriod;
    SBitrateInfo rate = {SPATIAL_LAYER_ALL, parameters->iTargetBitrate};
    int status = (*encoder)->SetOption(encoder, ENCODER_OPTION_FRAME_RATE, &frame_rate);
    if (status == cmResultSuccess)
        status = (*encoder)->SetOption(encoder, ENCODER_OPTION_IDR_INTERVAL, &interval);
    if (status == cmResultSuccess && parameters->iRCMode != RC_OFF_MODE)
        status = (*encoder)->SetOption(encoder, ENCODER_OPTION_BITRATE, &rate);
    return status;
}

int copenh264_change_quantizer(ISVCEncoder *encoder, const SEncParamExt *parameters) {
    SEncParamExt copy = *parameters;
    return (*encoder)->SetOption(encoder, ENCODER_OPTION_SVC_ENCODE_PARAM_EXT, &copy);
}

// Of an SPS, constraint_set3_flag is cleared: for pictures that would fit level 1b the library sets it whatever level
// it writes, where it means that level (1.1) or nothing that the standard has (7.4.2.1.1).
static const unsigned char *repaired(unsigned char *unit) {
    if ((unit[0] & 31) == NAL_SPS)
        unit[2] &= (unsigned char)~16;
    return unit;
}

const unsigned char *copenh264_unit(const SFrameBSInfo *output, int index, size_t *size) {
    for (int i = 0; i < output->iLayerNum; i++) {
        const SLayerBSInfo *layer = &output->sLayerInfo[i];
        unsigned char *unit = layer->pBsBuf;
        for (int n = 0; n < layer->iNalCount; unit += layer->pNalLengthInByte[n++]) {
            if (index-- > 0)
                continue;
            int start_code = unit[2] == 1 ? 3 : 4;
            *size = (size_t)(layer->pNalLengthInByte[n] - start_code);
            return repaired(unit + start_code);
        }
    }
    return NULL;
}
