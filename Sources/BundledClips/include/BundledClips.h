// SPDX-License-Identifier: MIT
#ifndef BUNDLED_CLIPS_H
#define BUNDLED_CLIPS_H

/// The folder of the clips, relative to that of the executable; lasts as long as the process.
///
/// In C, since a module of Swift that has resources gets an accessor of them, which links Foundation: that is 7 MiB of
/// every process, for two lines that encbench does not call.
const char *bundled_clips_folder(void);

#endif
