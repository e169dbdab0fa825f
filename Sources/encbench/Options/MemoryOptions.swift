// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench

/// How much memory encodes may take that run at a time.
struct MemoryOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory that encodes at a time, and decoded clips where TMPDIR is no disk's, may take together, 64Mi to 1000G; fewer run at "
                + "a time where they would take more, and one always runs. What one takes is reckoned from size, depth and preset. "
                + "Default: half of what is free.",
            valueName: "bytes"),
        transform: OptionParsing.memory)
    var memory: Int?

    /// What they may take.
    var budget: MemoryBudget { MemoryBudget(bytes: memory) }

    /// Tells who asked for a number of encodes at a time that fewer run.
    func tell(asked jobs: Int?, of study: Study, budget: MemoryBudget) {
        guard let jobs, case let most = budget.jobs(of: study), most < jobs else { return }
        let bytes = Format.mebibytes(budget.encodeBytes)
        StandardError.tell(
            "encbench: \(most) of \(jobs) encodes at a time, where all are of the largest kind: there are \(bytes) MiB for them "
                + "(--memory)\n")
    }
}

extension OptionParsing {
    /// Bytes such as `512Mi` or `2G`.
    static func memory(_ text: String) throws(OptionError) -> Int {
        try Quantity.parse(text, unit: "bytes", range: MemoryBudget.legalBytes)
    }
}
