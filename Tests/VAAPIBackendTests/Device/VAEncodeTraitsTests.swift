// SPDX-License-Identifier: MIT

import CVA
import Testing

@testable import VAAPIBackend

@Suite struct VAEncodeTraitsTests {
    /// Words like those of Intel's driver 23.1.1 for HEVC Main on Tiger Lake.
    private static let tigerLake: [VAConfigAttribType: UInt32] = [
        VAConfigAttribRTFormat: 0x22_0707, VAConfigAttribRateControl: 0x149e, VAConfigAttribEncPackedHeaders: 0x1f,
        VAConfigAttribEncMaxRefFrames: 0x30003, VAConfigAttribMaxPictureWidth: 16384,
        VAConfigAttribMaxPictureHeight: 12288, VAConfigAttribEncQualityRange: 7, VAConfigAttribPredictionDirection: 7,
    ]

    private func read(
        _ words: [VAConfigAttribType: UInt32], profile: VAProfile = VAProfileHEVCMain, quirks: VAQuirks = [],
        surfaces: VASurfaceLimits = VASurfaceLimits()
    ) -> VAEncodeTraits? {
        VAEncodeTraits(
            VAEntrypointAnswer(
                profile: profile, entrypoint: VAEntrypointEncSliceLP, words: words, surfaces: surfaces), quirks: quirks)
    }

    @Test("the words of a driver are read as its attributes say")
    func words() throws {
        let traits = try #require(read(Self.tigerLake))
        #expect(traits.has(rateControl: VA_RC_CQP | VA_RC_CBR | VA_RC_VBR | VA_RC_QVBR))
        #expect(!traits.has(rateControl: VA_RC_ICQ))
        #expect(traits.packs(VA_ENC_PACKED_HEADER_SEQUENCE | VA_ENC_PACKED_HEADER_RAW_DATA))
        #expect(traits.maxReferencesL0 == 3 && traits.maxReferencesL1 == 3)
        #expect(traits.needsBothLists && traits.predictsFromFuture)
        #expect(traits.qualityValues == Array(1...7))
        #expect(traits.widths == 16...16384 && traits.heights == 16...12288)
    }

    @Test("without its words a driver has constant quantizers, one reference and no packed headers")
    func absent() throws {
        let traits = try #require(read([VAConfigAttribRTFormat: UInt32(VA_RT_FORMAT_YUV420)]))
        #expect(traits.rateControl == UInt32(VA_RC_CQP) && traits.packedHeaders == 0)
        #expect(traits.maxReferencesL0 == 1 && traits.maxReferencesL1 == 0)
        #expect(!traits.predictsFromFuture && !traits.needsBothLists)
        #expect(traits.qualityValues.isEmpty && traits.maxSlices == 1 && traits.sliceStructure == 0)
        #expect(traits.blocks == .assumed && traits.tools == HEVCTools(word: nil))
    }

    @Test("a word with bit 31 is as good as none, whatever its other bits", arguments: VACapabilityProbe.attributes)
    func notSupported(type: VAConfigAttribType) {
        var words = Self.tigerLake
        words[type] = nil
        let absent = read(words)
        for rubbish: UInt32 in [0x8000_0000, 0x8000_0208, 0xffff_ffff] {
            words[type] = rubbish
            #expect(read(words) == absent)
        }
    }

    @Test(
        "the depth is what both the profile and the surfaces have",
        arguments: [
            (VAProfileHEVCMain, VA_RT_FORMAT_YUV420 | VA_RT_FORMAT_YUV420_10, [8]),
            (VAProfileHEVCMain10, VA_RT_FORMAT_YUV420 | VA_RT_FORMAT_YUV420_10, [8, 10]),
            (VAProfileHEVCMain10, VA_RT_FORMAT_YUV420_10, [10]), (VAProfileH264High, VA_RT_FORMAT_YUV420, [8]),
        ])
    func depths(profile: VAProfile, formats: Int32, depths: [Int]) {
        #expect(read([VAConfigAttribRTFormat: UInt32(formats)], profile: profile)?.bitDepths == depths)
    }

    @Test(
        "a driver that says what cannot be is not used",
        arguments: [
            (VAConfigAttribRTFormat, UInt32(VA_RT_FORMAT_YUV444)), (VAConfigAttribEncMaxRefFrames, 0x1_0000),
            (VAConfigAttribMaxPictureWidth, 8),
            // Coding blocks of 64 in trees of 8.
            (VAConfigAttribEncHEVCBlockSizes, 0x30),
        ] as [(VAConfigAttribType, UInt32)])
    func impossible(type: VAConfigAttribType, word: UInt32) {
        var words = Self.tigerLake
        words[type] = word
        #expect(read(words) == nil)
    }

    @Test("sizes are those that the surfaces, the pictures and the quirks all allow")
    func sizes() throws {
        var surfaces = VASurfaceLimits()
        (surfaces.minWidth, surfaces.maxWidth, surfaces.maxHeight) = (64, 8192, 20000)
        let traits = try #require(read(Self.tigerLake, quirks: [.refusesSidesBelow32], surfaces: surfaces))
        #expect(traits.widths == 64...8192)
        #expect(traits.heights == 32...12288)
    }

    @Test("HEVC's tools and block sizes are read from their bits")
    func tools() throws {
        // amp 2 at bit 4, sao 1 at 6, temporal_mvp 3 (which has no meaning) at 10, cu_qp_delta 2 at 22.
        let tools = HEVCTools(word: 2 << 4 | 1 << 6 | 3 << 10 | 2 << 22)
        #expect(tools.asymmetricPartitions == .required && tools.quantizerDeltas == .required)
        #expect(tools.sampleAdaptiveOffset == .supported)
        #expect(tools.temporalMotionVectors == .no && tools.signDataHiding == .no)
        // Trees of 64 only, coding blocks from 8, transforms 4...32, depths 2 (inter) and 1 (intra).
        let blocks = HEVCBlockLimits(word: 3 | 3 << 2 | 0 << 4 | 3 << 6 | 0 << 8 | 2 << 10 | 1 << 14)
        #expect(blocks.codingTree == 6...6 && blocks.minCoding == 3 && blocks.transform == 2...5)
        #expect(blocks.maxInterDepth == 2 && blocks.maxIntraDepth == 1 && blocks.isPossible)
    }
}
