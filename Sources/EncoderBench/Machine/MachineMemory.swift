// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// Memory that this machine, or the container that the process is in, has to give.
package enum MachineMemory {
    /// Bytes that are free now, as the kernel and the container's limit tell; nil where neither does.
    package static func freeBytes() -> Int? {
        let limits = limitFiles.compactMap { limit, used -> Int? in
            guard let limit = SmallFile.text(limit).flatMap(number), let used = SmallFile.text(used).flatMap(number)
            else { return nil }
            return max(0, limit - used)
        }
        return ([SmallFile.text("/proc/meminfo").flatMap { available(meminfo: $0) }].compactMap { $0 } + limits).min()
    }

    /// What containers have: the limit, and what is used of it, in both versions of control groups.
    private static let limitFiles = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ]

    /// Bytes of the line "MemAvailable:   23991208 kB" of a /proc/meminfo; nil where it has none.
    package static func available(meminfo: String) -> Int? {
        let line = meminfo.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        let words = line?.split(separator: " ") ?? []
        return words.count > 1 ? Int(words[1]).map { $0 * 1024 } : nil
    }

    /// A number of a file that has nothing else; nil for "max".
    private static func number(_ text: String) -> Int? { Int(text.prefix { $0.isNumber }) }
}
