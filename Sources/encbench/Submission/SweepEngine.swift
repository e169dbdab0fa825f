// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderBench
import Logging

/// What runs the points of a plan elsewhere.
enum SweepEngine: String, EnumerableFlag {
    case slurm
    case parallel

    static func help(for engine: SweepEngine) -> ArgumentHelp? {
        switch engine {
        case .slurm: "Give Slurm a job array, and a job that merges when all its tasks have ended."
        case .parallel:
            "Run the points with GNU parallel, then merge; --engine-option=--sshlogin=... names other hosts."
        }
    }

    /// A bash script that encodes and merges.
    func script(_ submission: Submission) -> String {
        switch self {
        case .slurm: submission.slurmScript
        case .parallel: submission.parallelScript
        }
    }

    /// Tasks that may be submitted together at most.
    ///
    /// - Throws: ``CommandFailure`` where the engine does not run.
    func taskLimit() throws(CommandFailure) -> Int {
        switch self {
        case .parallel:
            guard try output("parallel", ["--version"]).hasPrefix("GNU parallel") else {
                throw CommandFailure("the 'parallel' in PATH is not GNU parallel")
            }
            return .max
        case .slurm:
            guard let limit = Submission.slurmArrayLimit(try output("scontrol", ["show", "config"])) else {
                throw CommandFailure("'scontrol show config' says nothing of MaxArraySize")
            }
            return limit
        }
    }

    /// Tasks that may be submitted together where nobody knows.
    var usualTaskLimit: Int {
        switch self {
        case .parallel: .max
        case .slurm: Submission.usualSlurmArrayLimit
        }
    }

    /// Refuses to give an engine what it is still working on.
    func checkIdle(_ submission: Submission) throws(CommandFailure) {
        guard self == .slurm else { return }
        let name = submission.slurmJobName
        let jobs = try output("squeue", ["--noheader", "--format=%i", "--name=\(name)"])
            .split(separator: "\n").joined(separator: " ")
        guard jobs.isEmpty else {
            throw CommandFailure(
                "\(submission.folder): jobs \(jobs) still work on it; wait for them, or end them with scancel --name=\(name)"
            )
        }
    }

    /// What a program of the engine prints.
    private func output(_ program: String, _ arguments: [String]) throws(CommandFailure) -> String {
        let output: ChildProcess.Output
        do throws(EncoderBenchError) {
            output = try ChildProcess.run(program, arguments, reading: true)
        } catch {
            throw CommandFailure("\(error): --\(rawValue) needs it in PATH; --dry-run prints the script without it")
        }
        guard output.status == 0 else {
            throw CommandFailure(
                "'\(([program] + arguments).joined(separator: " "))' ended with status \(output.status)")
        }
        return output.text
    }
}
