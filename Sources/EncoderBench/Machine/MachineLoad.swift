// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// What the processors of this machine have done since it started; take two and compare.
package struct MachineLoad: Equatable, Sendable {
    /// Seconds of all processors that were not idle, stolen ones among them.
    package var busySeconds: Double
    /// CPU seconds of this process and of its children that ended.
    package var ownSeconds: Double
    /// Seconds on a clock that only runs forward.
    package var wallSeconds: Double

    /// Asks the kernel; nil where it does not tell.
    package static func now() -> MachineLoad? {
        guard let busy = SmallFile.text("/proc/stat").flatMap({ busyTicks(stat: $0) }) else { return nil }
        var own = 0.0
        for who in [RUSAGE_SELF.rawValue, -1] {  // RUSAGE_CHILDREN
            var usage = rusage()
            getrusage(__rusage_who_t(who), &usage)
            own += usage.cpuSeconds
        }
        return MachineLoad(
            busySeconds: busy / Double(sysconf(CInt(_SC_CLK_TCK))), ownSeconds: own,
            wallSeconds: MonotonicTime.seconds)
    }

    /// Ticks of the line "cpu  user nice system idle iowait irq softirq steal ..." that are neither idle nor waiting.
    package static func busyTicks(stat: String) -> Double? {
        guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard ticks.count >= 7 else { return nil }
        return ticks.enumerated().reduce(0) { $0 + ([3, 4].contains($1.offset) ? 0 : $1.element) }
    }

    /// Cores that others kept busy since a look at the start, on average; nil where the system does not tell.
    package static func othersCores(since start: MachineLoad?) -> Double? {
        guard let start, let now = now() else { return nil }
        return now.othersCores(since: start)
    }

    /// Cores that others kept busy since then, on average.
    package func othersCores(since start: MachineLoad) -> Double {
        let passed = wallSeconds - start.wallSeconds
        guard passed > 0 else { return 0 }
        return max(0, (busySeconds - start.busySeconds) - (ownSeconds - start.ownSeconds)) / passed
    }
}
