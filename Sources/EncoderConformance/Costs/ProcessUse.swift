// SPDX-License-Identifier: MIT

import Glibc

/// What this process uses, as the kernel counts it.
struct ProcessUse: Sendable {
    let threads: Int
    let residentBytes: Int

    /// Reads it now; nil where `/proc` is not there.
    static func now() -> ProcessUse? {
        guard let threads = threadCount(), let resident = residentBytes() else { return nil }
        return ProcessUse(threads: threads, residentBytes: resident)
    }

    private static func threadCount() -> Int? {
        guard let folder = opendir("/proc/self/task") else { return nil }
        defer { closedir(folder) }
        var count = 0
        // Besides the threads there are "." and "..".
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    /// The second number of `statm`, in pages.
    private static func residentBytes() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
    }
}
