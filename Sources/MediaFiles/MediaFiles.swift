// SPDX-License-Identifier: MIT

// Files and their errors are part of what this module gives: who reads and writes media need not name them apart.
@_exported public import MediaIO
