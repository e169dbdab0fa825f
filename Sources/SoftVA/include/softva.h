// SPDX-License-Identifier: MIT
// The entry point of softva, a VA-API driver that encodes on the CPU.
#ifndef SOFTVA_H
#define SOFTVA_H

#include <va/va.h>
#include <va/va_backend.h>

#endif
