// SPDX-License-Identifier: MIT

public import EncoderAPI
public import EncoderConformance
import MediaFiles
public import Testing

/// libavcodec as the decoder that conformance scenarios compare with.
public struct LibAVReferenceDecoder: ReferenceDecoder {
    /// Makes a decoder; tests that use it carry `.requiresLibAV`.
    public init() {}

    /// Decodes a whole stream.
    ///
    /// - Parameter stream: Starts with a sync frame.
    /// - Returns: The pictures in display order, cropped as the stream says.
    /// - Throws: What libavcodec says, and ``DamagedPicture`` for what it would conceal.
    public func decode(_ stream: EncodedStream) async throws -> [PixelBuffer] {
        let decoder = try StreamDecoder(codec: stream.codec)
        var decoded: [DecodedPicture] = []
        for (index, unit) in stream.annexBUnits.enumerated() {
            decoded += try decoder.decode(unit, presentationTime: MediaTime(value: Int64(index), timescale: 1))
        }
        decoded += try decoder.finish()
        if let damaged = decoded.first(where: \.isDamaged) { throw DamagedPicture(decodeIndex: damaged.decodeIndex) }
        return decoded.map(\.picture)
    }

    /// Thrown for a picture that the decoder concealed errors in.
    public struct DamagedPicture: Error {
        /// The number of its access unit in decode order, from 0.
        public let decodeIndex: Int
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where libavcodec is not installed.
    public static var requiresLibAV: Self {
        do {
            _ = try StreamDecoder(codec: .h264)
            return .enabled(if: true)
        } catch {
            return .enabled(if: false, "SKIPPED, needs libavcodec: \(error)")
        }
    }
}

/// Runs one scenario and expects no findings; says so where it does not apply.
///
/// - Parameters:
///   - scenario: The scenario to run.
///   - suite: The encoder under test.
public func expectConformance(_ scenario: Scenario, _ suite: ConformanceSuite) async {
    let result = await suite.run(scenario)
    if case .notApplicable(let reason) = result.outcome { print("\(scenario.name) does not apply: \(reason)") }
    #expect(result.findings == [])
}

/// Runs one scenario with an encoder on the CPU and libavcodec's decoder, and expects no findings.
///
/// - Parameters:
///   - scenario: The scenario to run.
///   - backend: Has the encoder under test.
///   - codec: What it encodes.
///   - nativeOption: An option of the library that changes its bytes.
/// - Throws: What hinders the exam as a whole.
public func expectConformance(
    _ scenario: Scenario, of backend: any EncoderBackend, codec: VideoCodec, nativeOption: NativeOption? = nil
) async throws {
    let suite = try await ConformanceSuite(
        backend: backend, codec: codec, decoder: LibAVReferenceDecoder(), nativeOption: nativeOption,
        patience: Patience.seconds)
    await expectConformance(scenario, suite)
}
