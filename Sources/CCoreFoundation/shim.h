// SPDX-License-Identifier: MIT
// Functions of the CoreFoundation inside libFoundation, which Foundation does not export to Swift: they alone give an
// element's own reference, where Swift's subscripts may give a bridged copy of it.
//
// They have names of their own here, so that a program that also imports the toolchain's module CoreFoundation finds no
// second declaration of one function. libFoundation is linked by whoever imports Foundation.
#ifndef CCOREFOUNDATION_SHIM_H
#define CCOREFOUNDATION_SHIM_H

#include <stdbool.h>

const void *_Nullable encoderkit_CFArrayGetValueAtIndex(const void *_Nonnull array, long index)
    __asm__("CFArrayGetValueAtIndex");
const void *_Nullable encoderkit_CFDictionaryGetValue(const void *_Nonnull dictionary, const void *_Nonnull key)
    __asm__("CFDictionaryGetValue");

#endif
