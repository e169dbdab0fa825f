// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// The machine that numbers were measured on.
package struct Machine: Equatable, Sendable, Codable {
    /// The processor's name.
    package var processor: String
    /// Hardware threads that this process may use: those that `taskset`, a container or a cluster's engine leaves to
    /// it.
    package var threads: Int
    /// Processes that wanted to run in the last minute, on average; more than `threads` disturbs times.
    package var loadAverage: Double?

    enum CodingKeys: String, CodingKey {
        case processor
        case threads
        case loadAverage = "load_average"
    }

    /// Describes this machine.
    package static func current() -> Machine {
        Machine(
            processor: SmallFile.text("/proc/cpuinfo").flatMap(processor) ?? "unknown processor",
            threads: SmallFile.text("/proc/self/status").flatMap(threads)
                ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
            loadAverage: SmallFile.text("/proc/loadavg").flatMap { $0.split(separator: " ").first }.flatMap {
                Double($0)
            })
    }

    /// The processors that a /proc/self/status lets a process run on: "Cpus_allowed:	ff,ffffffff".
    package static func threads(status: String) -> Int? {
        guard let mask = value("Cpus_allowed", in: status) else { return nil }
        let count = mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }

    /// Encodes of so many threads each that keep the machine busy; 1 where the encoder chooses.
    package static func jobs(threadsEach threads: Int?) -> Int { threads.map { max(1, current().threads / $0) } ?? 1 }

    /// The first "model name : ..." of /proc/cpuinfo.
    package static func processor(cpuinfo: String) -> String? { value("model name", in: cpuinfo) }

    /// The features by which encoders choose between their versions of inner loops, in the order of their names.
    package static let features = features(cpuinfo: SmallFile.text("/proc/cpuinfo") ?? "")

    /// Features of the first processor of a /proc/cpuinfo: vector and bit-field instructions.
    package static func features(cpuinfo: String) -> String {
        let all = value("flags", in: cpuinfo) ?? value("Features", in: cpuinfo) ?? ""
        let families = ["mmx", "sse", "ssse", "avx", "fma", "bmi", "abm", "popcnt", "asimd", "sve"]
        let used = all.split(separator: " ").filter { flag in families.contains { flag.hasPrefix($0) } }
        return used.sorted().joined(separator: " ")
    }

    /// The value of the first line "name : value".
    private static func value(_ name: String, in cpuinfo: String) -> String? {
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { $0.split(separator: ":", maxSplits: 1).last }.map { value in
            String(value.drop(while: { $0 == " " }))
        }
    }
}
