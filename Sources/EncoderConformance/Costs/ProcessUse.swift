// SPDX-License-Identifier: MIT

import CMalloc
import Glibc

/// What this process uses, as the kernel and the allocator count it.
struct ProcessUse: Equatable, Sendable {
    let threads: Int
    let descriptors: Int
    /// What was taken from malloc and not given back.
    let heapBytes: Int
    let residentBytes: Int

    /// Reads it now; nil where `/proc` is not there.
    static func now() -> ProcessUse? {
        guard let threads = entryCount("/proc/self/task"), let files = entryCount("/proc/self/fd"),
            let resident = residentBytes()
        else { return nil }
        // One of the files is the folder that was read.
        let heap = mallinfo2()
        return ProcessUse(
            threads: threads, descriptors: files - 1, heapBytes: heap.uordblks + heap.hblkhd, residentBytes: resident)
    }

    /// Reads it now, without what was freed and the allocator keeps: so much more of it where more threads had to wait
    /// for each other, as each of them then allocates from an arena of its own.
    static func trimmed() -> ProcessUse? {
        malloc_trim(0)
        return now()
    }

    /// What a folder has, besides "." and "..".
    private static func entryCount(_ path: String) -> Int? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var count = 0
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

    /// The least of both, of each count by itself.
    func least(of other: ProcessUse) -> ProcessUse {
        ProcessUse(
            threads: min(threads, other.threads), descriptors: min(descriptors, other.descriptors),
            heapBytes: min(heapBytes, other.heapBytes), residentBytes: min(residentBytes, other.residentBytes))
    }
}
