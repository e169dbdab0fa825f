// SPDX-License-Identifier: MIT

import Glibc

/// Time that this process has used; take two and subtract.
package struct ResourceUsage: Equatable, Sendable {
    /// Seconds on a clock that only runs forward.
    package var wallSeconds: Double
    /// Seconds of all threads on all cores, user and system.
    package var cpuSeconds: Double

    package init(wallSeconds: Double, cpuSeconds: Double) {
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
    }

    /// Reads both clocks.
    package static func now() -> ResourceUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return ResourceUsage(wallSeconds: MonotonicTime.seconds, cpuSeconds: usage.cpuSeconds)
    }

    package static func - (end: ResourceUsage, start: ResourceUsage) -> ResourceUsage {
        ResourceUsage(
            wallSeconds: end.wallSeconds - start.wallSeconds, cpuSeconds: end.cpuSeconds - start.cpuSeconds)
    }

    /// The most memory this process had resident at any time, in bytes; nil where the system does not tell.
    package static func peakResidentBytes() -> Int? {
        SmallFile.text("/proc/self/status").flatMap { peakResidentBytes(status: $0) }
    }

    /// Finds the line "VmHWM:   1234 kB"; ru_maxrss would count memory of the process that started this one.
    package static func peakResidentBytes(status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { return nil }
        return kibibytes * 1024
    }
}

extension rusage {
    /// Seconds of all threads on all cores, user and system.
    package var cpuSeconds: Double { ru_utime.seconds + ru_stime.seconds }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
