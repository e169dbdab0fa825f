// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import Logging
import MediaFiles

/// Makes a study of options: opens each input, asks each encoder, and checks every setting, without encoding anything.
struct StudyPlanner {
    let options: StudyOptions
    /// Ends the planning when it happens.
    var interruption = OneShotEvent()
    let logger: Logger

    /// The plan, with what is wrong with clips in its failures.
    ///
    /// - Throws: What is wrong with the command: inputs that are not there or are the same, encoders that are missing, and the
    ///   first failure where nothing is left to do.
    func study() async throws -> Study {
        let curves = try options.curves()
        var study = Study(
            variants: curves.variants, pairs: curves.pairs,
            threadsPerEncoder: options.options.comparedThreadCount,
            metrics: options.quality.metric.map(\.name))
        let planner = PointPlanner(
            options: options.options, inputOptions: options.inputOptions, device: options.devices.device,
            measuredBy: try options.quality.programs.tools.makers(of: options.quality.metric), logger: logger)
        var encoders: [EncoderDescription] = []
        for variant in study.variants {
            let kind = try variant.kind
            let backend = try kind.backend(on: options.devices.device(for: kind))
            encoders.append(try await backend.encoder(for: kind.onlyCodec ?? .h264))
        }
        let bundled = options.inputs.isEmpty ? try BundledClip.path() : nil
        let paths = bundled.map { [$0] } ?? options.inputs
        // What would fail after minutes of encoding fails now.
        for path in paths where path != "-" { try Self.checkReadable(path) }
        var firstError: (any Error)?
        for path in paths {
            do {
                try await add(path, isBundled: path == bundled, planner, encoders, to: &study)
            } catch let exit as ExitCode {
                throw exit
            } catch let repetition as ValidationError {
                throw repetition
            } catch {
                firstError = firstError ?? error
                study.failures.append(Study.Failure(clip: path.shown, point: nil, reason: "\(error)"))
            }
        }
        if let firstError, study.points.isEmpty { throw firstError }
        return study
    }

    /// Refuses a path that is no file, with a hint where a command was meant.
    static func checkReadable(_ path: String) throws {
        do throws(MediaFileError) {
            _ = try InputFile(path: path)
        } catch {
            guard !path.contains("."), !path.contains("/") else { throw error }
            throw CommandFailure("'\(path)' is neither a file here nor a command; encbench --help lists the commands")
        }
    }

    private func add(
        _ path: String, isBundled: Bool, _ planner: PointPlanner, _ encoders: [EncoderDescription],
        to study: inout Study
    ) async throws {
        let clip = try planner.clip(path, isBundled: isBundled, interruption: interruption)
        // Frames and raw formats are the same for all inputs.
        if let other = study.clips.first(where: { $0.digest == clip.facts.digest }) {
            throw ValidationError(
                other.name == clip.facts.name
                    ? "\(other.name) is named twice, and would count twice"
                    : "\(clip.facts.name) is the same file as \(other.name), and would count twice; leave one of them out"
            )
        }
        var points: [PointSpec] = []
        var failures: [(variant: String, error: any Error)] = []
        for (index, variant) in study.variants.enumerated() {
            do {
                var curve: [PointSpec] = []
                for rate in options.rates(ofVariant: index, try variant.kind, on: clip.info) {
                    var point = try await planner.point(variant, rate, of: clip, on: encoders[index])
                    (point.clip, point.variant) = (study.clips.count, index)
                    curve.append(point)
                }
                points += curve
            } catch {
                failures.append((variant.label, error))
            }
        }
        // A curve that a clip cannot have, such as one of eight bits, takes no other with it.
        if points.isEmpty, let first = failures.first { throw first.error }
        for (variant, error) in failures {
            study.failures.append(Study.Failure(clip: clip.facts.name, point: variant, reason: "\(error)"))
        }
        study.clips.append(clip.facts)
        study.points += points
    }
}
