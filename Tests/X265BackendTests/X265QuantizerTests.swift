// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X265Backend

/// The quantizer of an HEVC picture by its slices' headers, where an encoder reports none.
@Suite(.timeLimit(.minutes(1))) struct X265QuantizerTests {
    @Test("what slices say is what libx265 reports, where it does not adapt within pictures", arguments: [12, 30, 44])
    func slices(quantizer: Int) async throws {
        let clip = TestClip.textures(width: 176, height: 144, count: 12)
        var configuration = SessionConfiguration(codec: .hevc, width: clip.width, height: clip.height)
        configuration.preset = "ultrafast"
        configuration.live.constantQuantizer = quantizer
        configuration.nativeOptions = [.init("slices", "2")]
        let session = try CompressionSession(configuration, encoder: X265Backend())
        async let frames = session.encodedFrames.reduce(into: [EncodedFrame]()) { $0.append($1) }
        for index in clip.frames.indices {
            try await session.encode(clip.pixelBuffer(index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        let units = try await frames.compactMap(\.accessUnit)
        #expect(units.count == 12 && Set(units.map(\.pictureType)).count > 1)
        for unit in units {
            let unreported = AccessUnit(
                data: unit.data, nalUnits: unit.nalUnits, format: unit.format, pictureType: unit.pictureType,
                isSync: unit.isSync)
            #expect(try #require(unreported.averageQP) == #require(unit.averageQP))
        }
        // P pictures have the quantizer that was asked for, and others another.
        #expect(units.filter { $0.pictureType == .p }.allSatisfy { $0.averageQP == Double(quantizer) })
    }

    @Test("the mean quantizer is one that HEVC has, also of B pictures that rate control puts above all P pictures")
    func largest() throws {
        let clip = TestClip.textures(width: 64, height: 64, count: 20)
        let output = try clip.encode(
            clip.settings {
                $0.request.preset = "veryfast"
                $0.live.rate = .init(.constantQuantizer(51))
            }
        ).output
        #expect(output.contains { $0.type == .b })
        #expect(try #require(output.compactMap(\.averageQP).max()) == 51)
    }
}
