// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_H
#define ENCODERKIT_CLIBAV_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

#endif
