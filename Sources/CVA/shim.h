// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CVA_SHIM_H
#define ENCODERKIT_CVA_SHIM_H

#include <va/va.h>
#include <va/va_drm.h>

#endif
