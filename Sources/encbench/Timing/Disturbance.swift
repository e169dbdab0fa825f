// SPDX-License-Identifier: MIT

import CommandOptions

/// A report on times, which other processes may have spoiled.
protocol DisturbableReport {
    var machine: Machine { get }
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    var othersCores: Double? { get }
}

extension DisturbableReport {
    /// Whether others took so much of the machine that times may be wrong.
    var isDisturbed: Bool { (othersCores ?? 0) > 0.1 }

    /// A sentence that says so; nil where they did not.
    var disturbance: String? {
        guard isDisturbed, let othersCores else { return nil }
        return "Note: other processes kept \(Format.fixed(othersCores, 1)) cores busy: times may be wrong."
    }

    /// Where times were taken, and how far they may be wrong.
    var machineNote: String {
        "On \(machine.processor), \(machine.threads) hardware threads.\n" + (disturbance.map { $0 + "\n" } ?? "")
    }
}
