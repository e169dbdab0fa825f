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
    /// - Throws: What is wrong with the command: inputs that are not there, encoders that are missing, and the first
    ///   failure where nothing is left to do.
    func study() async throws -> Study {
        let curves = try options.curves()
        var study = Study(
            variants: curves.variants, pairs: curves.pairs,
            threadsPerEncoder: options.options.comparedThreadCount)
        var encoders: [EncoderDescription] = []
        for variant in study.variants {
            let kind = try variant.kind
            encoders.append(try await kind.makeBackend().encoder(for: kind.onlyCodec ?? .h264))
        }
        let bundled = options.inputs.isEmpty ? try BundledClip.path() : nil
        let paths = bundled.map { [$0] } ?? options.inputs
        // What would fail after minutes of encoding fails now.
        for path in paths where path != "-" { try Self.checkReadable(path) }
        var firstError: (any Error)?
        for path in paths {
            do {
                try await add(path, isBundled: path == bundled, encoders: encoders, to: &study)
            } catch let exit as ExitCode {
                throw exit
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
        _ path: String, isBundled: Bool, encoders: [EncoderDescription], to study: inout Study
    ) async throws {
        let input = try StudyInput(reading: path, interruption: interruption)
        let source = try options.inputOptions.open(input.path, frameRate: options.options.expectedFrameRate)
        var clip = ClipFacts(
            name: path.shown, path: input.path, digest: input.digest, frameLimit: options.inputOptions.frames,
            raw: options.inputOptions.rawClip(frameRate: options.options.expectedFrameRate), info: source.info)
        if isBundled { clip = clip.asBundledClip() }
        var points: [PointSpec] = []
        for (index, variant) in study.variants.enumerated() {
            let kind = try variant.kind
            for rate in options.rates.rates(for: kind) + [.automatic] {
                let configuration = try configuration(variant, kind, rate, encoders[index], source.info)
                // Checks all settings; nothing is opened before the session is prepared.
                _ = try await kind.makeSession(configuration, logger: logger)
                points.append(
                    PointSpec(
                        work: PointWork(
                            configuration, of: kind, clip: clip, forcedKeyFrames: options.options.forceKeyFrames),
                        path: clip.path, clip: study.clips.count, variant: index, rate: rate.label,
                        isDefault: rate == .automatic))
            }
        }
        study.clips.append(clip)
        study.points += points
    }

    private func configuration(
        _ variant: Variant, _ kind: EncoderKind, _ rate: RateControl, _ encoder: EncoderDescription,
        _ info: VideoSourceInfo
    ) throws -> SessionConfiguration {
        let source = options.inputOptions.describe(info).writable(by: encoder)
        var configuration = options.options.configuration(
            codec: encoder.codec, source: source, rateControl: rate, preset: variant.preset)
        configuration.threadCount = options.options.comparedThreadCount
        try variant.apply(to: &configuration)
        configuration.promiseConstantRate(of: source, to: kind)
        return configuration
    }
}
