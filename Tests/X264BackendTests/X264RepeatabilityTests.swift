// SPDX-License-Identifier: MIT

import CMalloc
import CX264
import EncoderAPI
import BackendSupport
import TestSupport
import Testing
@testable import X264Backend

@Suite(.serialized, .enabled(if: X264Processor.hasAVX512, "this processor has no AVX-512"))
struct X264RepeatabilityTests {
    @Test(
        "streams do not depend on what memory holds that nobody wrote",
        .enabled(if: mallopt(M_PERTURB, 0) == 1, "the address sanitizer's allocator fills no memory when asked"))
    func unwrittenMemory() throws {
        let clip = TestClip.textures(width: 320, height: 240, count: 30)
        try Self.fill(with: 0)
        defer { try? Self.fill(with: 0) }
        let streams = try [Int32(0), 85, 170].map { filling in
            try Self.fill(with: filling)
            return try clip.encode(
                clip.settings.with {
                    $0.request.preset = "veryfast"
                    $0.live.rate = .init(.constantRateFactor(28))
                }
            ).flatMap(\.slices)
        }
        #expect(streams[0] == streams[1])
        #expect(streams[0] == streams[2])
    }

    /// Has allocated memory hold what `byte` says.
    private static func fill(with byte: Int32) throws {
        try #require(mallopt(M_PERTURB, byte) == 1)
    }

    @Test(
        "AVX-512 is used unless the macroblock tree would read past its rows",
        arguments: [
            (320, "medium", nil as RateControl?, nil as String?, false), (1920, "veryfast", nil, nil, false),
            (256, "medium", nil, nil, true), (1280, "medium", nil, nil, true), (250, "medium", nil, nil, true),
            (320, "ultrafast", nil, nil, true), (320, "medium", .constantQuantizer(30), nil, true),
            (320, "medium", nil, "auto", true), (320, "medium", nil, "AVX2", false),
        ])
    func instructions(
        width: Int, preset: String, rate: RateControl?, option: String?, isUsed: Bool
    ) throws {
        let clip = TestClip.textures(width: width, count: 1)
        let settings = clip.settings.with {
            $0.request.preset = preset
            if let rate { $0.live.rate = .init(rate) }
            if let option { $0.request.nativeOptions = [NativeOption("asm", option)] }
        }
        let hasAVX512 = try X264Parameters(settings).raw.cpu & UInt32(X264_CPU_AVX512) != 0
        #expect(hasAVX512 == (isUsed && X264Processor.hasAVX512))
        let isTold = X264Processor.hasAVX512 && !isUsed && option == nil
        #expect(X264Backend.programOptions(settings) == (isTold ? ["--asm", "AVX2"] : []))
    }
}
