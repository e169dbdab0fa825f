// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension DisturbableReport {
    /// A sentence that says so; nil where they did not.
    var disturbance: String? {
        guard isDisturbed, let othersCores else { return nil }
        return "Note: other processes kept \(Format.fixed(othersCores, 1)) cores busy: times may be wrong."
    }
}

extension MachineReport {
    /// Where times were taken, and how far they may be wrong.
    var machineNote: String {
        "On \(machine.processor), \(machine.threads) hardware threads.\n" + (disturbance.map { $0 + "\n" } ?? "")
    }
}
