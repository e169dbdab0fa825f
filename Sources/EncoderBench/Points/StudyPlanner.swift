// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
import MediaFiles

/// A clip that is named twice, in words that say which.
package struct RepeatedClip: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// Makes the points of a study: opens each input, asks each encoder, and checks every setting, without encoding
/// anything.
package struct StudyPlanner {
    /// Paths of the clips, one or more.
    package let inputs: [String]
    package let planner: PointPlanner
    /// What encoders that have both encode to; nil for H.264.
    package var codec: VideoCodec?
    /// Changes what is known of a clip, by its path.
    package var describe: (_ clip: inout ClipFacts, _ path: String) -> Void = { _, _ in }
    /// Words an error for the study's failures.
    package var reason: (any Error) -> String = { "\($0)" }
    /// Ends the planning when it happens.
    package var interruption = OneShotEvent()

    package init(
        inputs: [String], planner: PointPlanner, codec: VideoCodec? = nil,
        describe: @escaping (_ clip: inout ClipFacts, _ path: String) -> Void = { _, _ in },
        reason: @escaping (any Error) -> String = { "\($0)" }, interruption: OneShotEvent = OneShotEvent()
    ) {
        self.inputs = inputs
        self.planner = planner
        self.codec = codec
        self.describe = describe
        self.reason = reason
        self.interruption = interruption
    }

    /// Adds clips and points to a study that has its variants, and to its failures what is wrong with clips.
    ///
    /// - Parameters:
    ///   - study: What is planned.
    ///   - points: The points of a variant, by its place, on a clip; their own places are set here.
    /// - Throws: What is wrong with the command: inputs that are not there or are the same, encoders that are missing,
    ///   and the first failure where nothing is left to do.
    package func plan(
        _ study: inout Study, points: (Int, ClipInput.Clip, EncoderDescription) async throws -> [PointSpec]
    ) async throws {
        var encoders: [EncoderDescription] = []
        for variant in study.variants { encoders.append(try await planner.encoder(of: variant, codec: codec)) }
        var firstError: (any Error)?
        for path in inputs {
            do {
                var clip = try planner.clip(path, interruption: interruption)
                describe(&clip.facts, path)
                try await add(clip, to: &study) { try await points($0, clip, encoders[$0]) }
            } catch let interrupted as Interrupted {
                throw interrupted
            } catch let repetition as RepeatedClip {
                throw repetition
            } catch {
                firstError = firstError ?? error
                study.failures.append(Study.Failure(clip: path.shown, point: nil, reason: reason(error)))
            }
        }
        if let firstError, study.points.isEmpty { throw firstError }
    }

    private func add(
        _ clip: ClipInput.Clip, to study: inout Study, points: (Int) async throws -> [PointSpec]
    ) async throws {
        // Frames and raw formats are the same for all inputs.
        if let other = study.clips.first(where: { $0.digest == clip.facts.digest }) {
            throw RepeatedClip(
                description: other.name == clip.facts.name
                    ? "\(other.name) is named twice, and would count twice"
                    : "\(clip.facts.name) is the same file as \(other.name), and would count twice; leave one of them out"
            )
        }
        for other in study.clips where try planner.hasSamePictures(clip.facts, other, interruption: interruption) {
            throw RepeatedClip(
                description: "\(clip.facts.name) has the same pictures as \(other.name), and would count twice; "
                    + "leave one of them out")
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
                Study.Failure(clip: clip.facts.name, point: variant, reason: reason(error)))
        }
        study.clips.append(clip.facts)
        study.points += added
    }
}
