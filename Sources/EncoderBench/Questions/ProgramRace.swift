// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
import Glibc
import MediaFiles

/// One encode as this program, the library's own and ffmpeg do it: the same pictures and settings, one after the other
/// in random order, round by round.
package struct ProgramRace {
    /// Who takes part.
    package enum Role: Int, CaseIterable {
        case encbench
        /// The library's own program.
        case program
        /// The library's own program once more, which shows what noise alone does.
        case control
        case ffmpeg
    }

    /// One program that takes part.
    private struct Runner {
        let role: Role
        /// What it is called with for people, in a folder with in.y4m.
        let command: [String]
        /// What it is started by, where that is not the command's first word.
        var program: String?
        /// Options that make it quiet.
        var quiet: [String] = []
    }

    /// Rounds that count, 1 or more.
    package let rounds: Int
    package let codec: VideoCodec
    package let folder: Y4MFolder
    package let interruption: OneShotEvent
    private let runners: [Runner]

    /// Lines the programs up.
    ///
    /// - Parameters:
    ///   - encode: The words of `encode`.
    ///   - program: The library's own program.
    ///   - words: Its words.
    ///   - ffmpeg: What ffmpeg is called by.
    ///   - folder: Has the clip.
    ///   - rounds: Rounds that count.
    ///   - interruption: Ends the race when it happens.
    package init(
        encode: [String], program: EncoderProgram, words: [String], ffmpeg: String, folder: Y4MFolder, rounds: Int,
        interruption: OneShotEvent
    ) {
        self.rounds = rounds
        codec = program.codec
        self.folder = folder
        self.interruption = interruption
        runners = [
            Runner(role: .encbench, command: encode, program: "/proc/self/exe"),
            Runner(role: .program, command: words, quiet: program.quiet),
            Runner(role: .control, command: words, quiet: program.quiet),
            Runner(role: .ffmpeg, command: program.ffmpeg(words, ffmpeg: ffmpeg)),
        ]
    }

    /// Runs the race.
    ///
    /// - Parameters:
    ///   - generator: Makes the order.
    ///   - progress: Called after each encode with encodes done and in all.
    /// - Returns: What was found, in the rounds that were finished; nil when it was interrupted before the first was.
    /// - Throws: ``EncoderBenchError`` where this program, or all others, cannot encode.
    package func outcome(
        using generator: inout some RandomNumberGenerator, progress: (_ done: Int, _ total: Int) -> Void
    ) throws -> Outcome? {
        var streams: [Role: [UInt8]] = [:]
        var outcome = Outcome()
        for runner in runners {
            guard !interruption.hasHappened else { return nil }
            do throws(EncoderBenchError) {
                _ = try run(runner)
                streams[runner.role] = try stream(of: runner)
            } catch {
                guard !interruption.hasHappened else { return nil }
                guard runner.role != .encbench else { throw error }
                if runner.role != .control { outcome.missing.append("\(runner.command[0]): \(error)") }
            }
        }
        let present = runners.filter { streams[$0.role] != nil }
        guard let ours = streams[.encbench], present.count > 1 else {
            throw EncoderBenchError(
                .programFailed, reason: "no program to compare with: " + outcome.missing.joined(separator: "; "))
        }
        var runs: [Role: [ChildProcess.Output]] = [:]
        race: for round in 0..<rounds {
            for (place, runner) in present.shuffled(using: &generator).enumerated() {
                let output = try interruption.unlessSignalled { () throws(EncoderBenchError) in try run(runner) }
                guard let output else { break race }
                runs[runner.role, default: []].append(output)
                progress(round * present.count + place + 1, rounds * present.count)
            }
        }
        let finished = present.map { runs[$0.role]?.count ?? 0 }.min() ?? 0
        guard finished > 0 else { return nil }
        runs = runs.mapValues { Array($0.prefix(finished)) }
        if finished < rounds { outcome.finishedRounds = finished }
        for runner in present {
            let difference = streams[runner.role].map { StreamDifference(of: ours, with: $0, codec: codec) }
            outcome.add(
                runner.role, runner.command, runs,
                stream: runner.role == .encbench || runner.role == .control ? nil : difference)
        }
        return outcome
    }

    /// Encodes once.
    private func run(_ runner: Runner) throws(EncoderBenchError) -> ChildProcess.Output {
        let messages = try UnnamedFile()
        let words = runner.quiet + runner.command.dropFirst().map { inFolder($0) }
        let name = runner.command[0]
        let output = try ChildProcess.run(
            runner.program ?? name, words, reading: false, messages: messages, name: name)
        // An encoder that was asked to end may say that all is well.
        guard !interruption.hasHappened else { throw EncoderBenchError(.interrupted, reason: "interrupted") }
        guard output.status == 0 else {
            let said = SmallFile.text(messages.path) ?? ""
            let lines = said.split(whereSeparator: \.isNewline).suffix(2).joined(separator: "; ")
            throw EncoderBenchError(.programFailed, reason: "ended with status \(output.status): \(lines.shown)")
        }
        return output
    }

    private func inFolder(_ word: String) -> String {
        word.hasPrefix("out.") || word == "in.y4m" ? folder.path + "/" + word : word
    }

    private func stream(of runner: Runner) throws(EncoderBenchError) -> [UInt8] {
        guard let name = runner.command.first(where: { $0.hasPrefix("out.") }) else { return [] }
        do {
            return try WholeFile.read(inFolder(name))
        } catch {
            throw EncoderBenchError(.programFailed, reason: "left no stream: \(error)")
        }
    }
}

extension ProgramRace {
    /// What a race found.
    package struct Outcome: Codable, Equatable, Sendable {
        /// One program.
        package struct Program: Codable, Equatable, Sendable {
            /// "encbench", "x264", "ffmpeg".
            package var name: String
            /// What it is called with in a folder with in.y4m.
            package var command: String
            /// Medians of the rounds.
            package var wallSeconds: Double
            package var cpuSeconds: Double
            /// Median of the rounds; nil where it is below what encbench itself had, which systems count as the
            /// program's.
            package var peakResidentBytes: Int?
            /// What encbench takes against it; nil for encbench itself.
            package var wallRatio: PairedRatio?
            package var cpuRatio: PairedRatio?
            /// What differs in its stream from encbench's; nil for encbench itself.
            package var stream: StreamDifference?

            enum CodingKeys: String, CodingKey {
                case name, command, stream
                case wallSeconds = "wall_seconds"
                case cpuSeconds = "cpu_seconds"
                case peakResidentBytes = "peak_resident_bytes"
                case wallRatio = "wall_ratio"
                case cpuRatio = "cpu_ratio"
            }
        }

        package var programs: [Program] = []
        /// The library's own program against itself: what the machine's noise alone does.
        package var wallControl: PairedRatio?
        package var cpuControl: PairedRatio?
        /// Programs that could not take part, and why.
        package var missing: [String] = []
        /// Rounds that were finished before an interruption; nil for all.
        package var finishedRounds: Int?

        enum CodingKeys: String, CodingKey {
            case programs, missing
            case finishedRounds = "finished_rounds"
            case wallControl = "wall_control"
            case cpuControl = "cpu_control"
        }

        fileprivate mutating func add(
            _ role: Role, _ command: [String], _ runs: [Role: [ChildProcess.Output]], stream: StreamDifference?
        ) {
            func values(_ role: Role, _ path: KeyPath<ResourceUsage, Double>) -> [Double] {
                (runs[role] ?? []).map { $0.used[keyPath: path] }
            }
            func ratio(_ test: Role, _ anchor: Role, _ path: KeyPath<ResourceUsage, Double>) -> PairedRatio? {
                PairedRatio(test: values(test, path), anchor: values(anchor, path))
            }
            if role == .control {
                (wallControl, cpuControl) = (
                    ratio(.control, .program, \.wallSeconds), ratio(.control, .program, \.cpuSeconds)
                )
                return
            }
            let isOurs = role == .encbench
            let peaks = (runs[role] ?? []).compactMap(\.peakResidentBytes).map(Double.init)
            programs.append(
                Program(
                    name: command[0], command: command.map(\.shellWord).joined(separator: " "),
                    wallSeconds: PairedRatio.median(values(role, \.wallSeconds)) ?? 0,
                    cpuSeconds: PairedRatio.median(values(role, \.cpuSeconds)) ?? 0,
                    peakResidentBytes: PairedRatio.median(peaks).map { Int($0) },
                    wallRatio: isOurs ? nil : ratio(.encbench, role, \.wallSeconds),
                    cpuRatio: isOurs ? nil : ratio(.encbench, role, \.cpuSeconds), stream: stream))
        }
    }
}
