// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import MediaFiles

/// Makes the points of a study: opens each input, asks each encoder, and checks every setting, without encoding
/// anything.
struct StudyPlanner {
    /// Paths of the clips; none for the bundled one.
    let inputs: [String]
    let planner: PointPlanner
    /// What encoders that have both encode to; nil for H.264.
    var codec: VideoCodec?
    /// Ends the planning when it happens.
    var interruption = OneShotEvent()

    /// Adds clips and points to a study that has its variants, and to its failures what is wrong with clips.
    ///
    /// - Parameters:
    ///   - study: What is planned.
    ///   - points: The points of a variant, by its place, on a clip; their own places are set here.
    /// - Throws: What is wrong with the command: inputs that are not there or are the same, encoders that are missing,
    ///   and the first failure where nothing is left to do.
    func plan(
        _ study: inout Study, points: (Int, PointPlanner.Clip, EncoderDescription) async throws -> [PointSpec]
    ) async throws {
        let bundled = inputs.isEmpty ? try BundledClip.path() : nil
        let paths = bundled.map { [$0] } ?? inputs
        // What would fail after minutes of encoding fails now.
        for path in paths where path != "-" { try Self.checkReadable(path) }
        var encoders: [EncoderDescription] = []
        for variant in study.variants { encoders.append(try await planner.encoder(of: variant, codec: codec)) }
        var firstError: (any Error)?
        for path in paths {
            do {
                let clip = try planner.clip(path, isBundled: path == bundled, interruption: interruption)
                try await add(clip, to: &study) { try await points($0, clip, encoders[$0]) }
            } catch let exit as ExitCode {
                throw exit
            } catch let repetition as ValidationError {
                throw repetition
            } catch {
                firstError = firstError ?? error
                study.failures.append(Study.Failure(clip: path.shown, point: nil, reason: Self.reason(error)))
            }
        }
        if let firstError, study.points.isEmpty { throw firstError }
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
        _ clip: PointPlanner.Clip, to study: inout Study, points: (Int) async throws -> [PointSpec]
    ) async throws {
        // Frames and raw formats are the same for all inputs.
        if let other = study.clips.first(where: { $0.digest == clip.facts.digest }) {
            throw ValidationError(
                other.name == clip.facts.name
                    ? "\(other.name) is named twice, and would count twice"
                    : "\(clip.facts.name) is the same file as \(other.name), and would count twice; leave one of them out"
            )
        }
        var added: [PointSpec] = []
        var failures: [(variant: String, error: any Error)] = []
        for (index, variant) in study.variants.enumerated() {
            do {
                for var point in try await points(index) {
                    (point.clip, point.variant) = (study.clips.count, index)
                    added.append(point)
                }
            } catch {
                failures.append((variant.label, error))
            }
        }
        // No other clip would make it right.
        for failure in failures {
            if let error = failure.error as? EncoderError, error.isOfCommandLine { throw error }
        }
        // A curve that a clip cannot have, such as one of eight bits, takes no other with it.
        if added.isEmpty, let first = failures.first { throw first.error }
        for (variant, error) in failures {
            study.failures.append(
                Study.Failure(clip: clip.facts.name, point: variant, reason: Self.reason(error)))
        }
        study.clips.append(clip.facts)
        study.points += added
    }

    private static func reason(_ error: any Error) -> String {
        (error as? EncoderError)?.commandLineDescription ?? "\(error)"
    }
}
