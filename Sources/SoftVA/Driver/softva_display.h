// SPDX-License-Identifier: MIT
// Opens and closes the driver.
#ifndef SOFTVA_DISPLAY_H
#define SOFTVA_DISPLAY_H

#include "softva_driver.h"

/// NULL: out of memory, or a personality or a fault that is not known.
sv_driver *sv_driver_open(void);
/// Waits for the pictures in flight, counts what is still alive and frees it.
void sv_driver_close(sv_driver *driver);

/// Reports what is left when the process ends with displays that were not closed.
void sv_displays_abandon(void);

/// Aborts where the library's destructors have run: an exiting process's thread that still calls the driver.
void sv_must_be_loaded(void);

#endif
