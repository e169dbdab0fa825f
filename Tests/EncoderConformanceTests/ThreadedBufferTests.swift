// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import TestSupport
import Testing
import X264Backend

/// Encoders that keep their buffer with one thread, and with several only where these come in the right order.
@Suite struct ThreadedBufferTests {
    @Test(
        "what threads do to a buffer is no finding where the encoder is to keep it alone",
        arguments: ["data-rate-limits", "data-rate-limits-after-another-size", "late-limits"])
    func threads(name: String) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == name })
        let suite = try await ConformanceSuite(
            backend: ThreadedBackend(honest: X264Backend()), codec: .h264, patience: Patience.seconds)
        #expect(await suite.run(scenario).findings == [])
    }
}

/// A back end that has no buffer unless it is told to take one thread.
private struct ThreadedBackend: ImmediateBackend {
    let honest: X264Backend

    var identifier: String { honest.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try honest.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try honest.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        var told = settings
        if settings.request.threadCount != 1 { told.live.rate.buffer = nil }
        return try honest.makeEncoder(encoder, settings: told, logger: logger)
    }
}
