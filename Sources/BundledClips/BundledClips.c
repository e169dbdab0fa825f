// SPDX-License-Identifier: MIT
#include "BundledClips.h"

const char *bundled_clips_folder(void) {
    return "EncoderKit_BundledClips.resources/Clips";
}
