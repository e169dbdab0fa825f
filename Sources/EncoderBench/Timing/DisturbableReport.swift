// SPDX-License-Identifier: MIT

/// A report on times, which other processes may have spoiled.
package protocol DisturbableReport {
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    var othersCores: Double? { get }
}

/// One that says on which machine they were taken.
package protocol MachineReport: DisturbableReport {
    var machine: Machine { get }
}

extension DisturbableReport {
    /// Whether others took so much of the machine that times may be wrong.
    package var isDisturbed: Bool { (othersCores ?? 0) > 0.1 }
}
