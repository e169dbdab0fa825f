// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import ParameterSets
import TestSupport
import Testing

@Suite(.serialized)
struct PCMConformanceTests {
    @Test("every scenario finds nothing", .requiresProgram(.ffmpeg), arguments: ConformanceSuite.scenarios)
    func conformance(scenario: Scenario) async throws {
        let suite = try await ConformanceSuite(backend: PCMBackend(), codec: .h264, decoder: FFmpegDecoder())
        let result = await suite.run(scenario)
        if case .notApplicable(let reason) = result.outcome { print("\(scenario): not applicable: \(reason)") }
        #expect(result.findings == [])
    }

    @Test("odd sides are padded to whole macroblocks and cropped again")
    func parameters() throws {
        var settings = ResolvedSettings(codec: .h264, width: 17, height: 33)
        settings.picture = PictureFormat(width: 17, height: 33, codedWidth: 32, codedHeight: 48)
        let sps = try PCMParameters(settings).sps
        #expect((sps.displaySize.width, sps.displaySize.height) == (18, 34))
    }
}
