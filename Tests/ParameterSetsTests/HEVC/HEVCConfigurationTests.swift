// SPDX-License-Identifier: MIT

import CLibAV
import FFmpegVideo
import ParameterSets
import TestSupport
import Testing

@Suite struct HEVCConfigurationTests {
    private func error(
        _ width: Int = 64, _ height: Int = 64, _ change: (inout SequenceConfiguration) -> Void = { _ in }
    ) -> String? {
        var wanted = SequenceConfiguration(displaySize: PictureSize(width: width, height: height))
        change(&wanted)
        return (thrown { _ = try HEVCSPS(wanted) } as? ParameterSetError)?.reason
    }

    @Test("the sets tell what was asked for when they are read again")
    func everything() throws {
        var wanted = SequenceConfiguration(displaySize: PictureSize(width: 1918, height: 1078))
        wanted.bitDepth = 10
        wanted.frameRate = Ratio(60000, 1001)
        wanted.pixelAspectRatio = .init(horizontalSpacing: 4, verticalSpacing: 3)
        wanted.color = .init(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
        wanted.chromaLocation = ChromaLocation(2)
        wanted.referenceFrames = 4
        wanted.reorderFrames = 2
        wanted.bufferModel = .init(bitsPerSecond: 20_000_000, bufferBits: 10_000_000)
        let made = try HEVCSPS(wanted)
        let sps = try HEVCSPS(nalUnit: made.nalUnit())
        #expect(sps == made && sps.codedSize == PictureSize(width: 1920, height: 1080))
        #expect(sps.displaySize == wanted.displaySize && sps.frameRate == wanted.frameRate)
        #expect(sps.pixelAspectRatio == wanted.pixelAspectRatio && sps.color == wanted.color)
        #expect(sps.vui?.chromaLocation == ChromaLocation(2) && sps.bitDepthChroma == 10)
        #expect(sps.dpbFrames == 5 && sps.reorderFrames == 2 && sps.codecString() == "hvc1.2.4.L123.90")
        let hrd = try #require(sps.vui?.timing?.hrd)
        let schedule = try #require(hrd.subLayers.first?.nalSchedules.first)
        #expect(schedule.bitsPerSecond(scale: hrd.common.bitRateScale) == 20_000_000)
        #expect(schedule.bufferBits(scale: hrd.common.cpbSizeScale) == 10_000_000)
        let vps = try HEVCVPS(nalUnit: HEVCVPS(for: sps).nalUnit())
        #expect(vps.level == sps.level && vps.ordering == sps.ordering)
    }

    private static let formats: [(chroma: ChromaFormat, bitDepth: Int, codec: String)] = [
        (.yuv420, 8, "hvc1.1.6.L30.90"), (.yuv420, 10, "hvc1.2.4.L30.90"), (.yuv420, 12, "hvc1.4.10.L30.99.88"),
        (.yuv422, 8, "hvc1.4.10.L30.9D.8"), (.yuv444, 8, "hvc1.4.10.L30.9E.8"), (.yuv444, 12, "hvc1.4.10.L30.98.8"),
        (.monochrome, 8, "hvc1.4.10.L30.9F.C8"),
    ]

    @Test("the profile follows from the format", arguments: formats)
    func profiles(format: ChromaFormat, bitDepth: Int, codec: String) throws {
        var wanted = SequenceConfiguration(displaySize: PictureSize(width: 64, height: 64))
        wanted.chromaFormat = format
        wanted.bitDepth = bitDepth
        let sps = try HEVCSPS(wanted)
        #expect(sps.codecString() == codec && sps.vui == nil && sps.crop == LumaCrop())
        #expect(try HEVCSPS(nalUnit: sps.nalUnit()) == sps)
    }

    @Test("FFmpeg knows the profile of a made set, and the size", .requiresLibAV, arguments: formats, [nil, 150, 186])
    func known(format: (chroma: ChromaFormat, bitDepth: Int, codec: String), level: Int?) async throws {
        var wanted = SequenceConfiguration(displaySize: PictureSize(width: 1918, height: 1078))
        wanted.chromaFormat = format.chroma
        wanted.bitDepth = format.bitDepth
        var sps = try HEVCSPS(wanted, level: level.map { HEVCLevel(rawValue: $0) })
        #expect(try await probed(sps) == [1918, 1078, sps.profile.profileIdc, sps.level.rawValue])
        sps.blocks = HEVCBlockSizes()
        #expect(try await probed(sps)?.first != 1918, "FFmpeg takes coding tree blocks that no profile has")
    }

    /// Width, height, profile and level that FFmpeg finds in a stream with a set; nil where it finds no stream.
    private func probed(_ sps: HEVCSPS) async throws -> [Int]? {
        // The last unit is an IDR picture's only slice, of type I and with no data that could be decoded.
        let units = try [HEVCVPS(for: sps).nalUnit(), sps.nalUnit(), HEVCPPS().nalUnit(), hex("2601af80")]
        return try await withTemporaryDirectory { folder in
            let path = try folder.write(AnnexB.join(units), to: "made.hevc")
            var reason = [CChar](repeating: 0, count: 512)
            guard let video = ffmpeg_video_open(path, "hevc", &reason, reason.count) else { return nil }
            defer { ffmpeg_video_close(video) }
            let found = ffmpeg_video_stream(video).pointee.codecpar.pointee
            return [Int(found.width), Int(found.height), Int(found.profile), Int(found.level)]
        }
    }

    @Test("coding tree blocks are those that profile and level allow", arguments: formats, 0...3)
    func treeBlocks(format: (chroma: ChromaFormat, bitDepth: Int, codec: String), smallest: Int) throws {
        var wanted = SequenceConfiguration(displaySize: PictureSize(width: 64, height: 64))
        wanted.chromaFormat = format.chroma
        wanted.bitDepth = format.bitDepth
        for level in [nil] + HEVCLevel.all {
            #expect((5...6).contains(try HEVCSPS(wanted, level: level).blocks.ctbLog2Size))
            for difference in 0...4 {
                var blocks = HEVCBlockSizes()
                blocks.log2MinLumaCodingBlockSizeMinus3 = smallest
                blocks.log2DiffMaxMinLumaCodingBlockSize = difference
                let (size, least) = (3 + smallest + difference, (level?.rawValue ?? 30) < 150 ? 4 : 5)
                let error = thrown { _ = try HEVCSPS(wanted, blocks: blocks, level: level) } as? ParameterSetError
                #expect((error == nil) == (least...6).contains(size), "\(size) at \(String(describing: level))")
                if size < least {
                    let expected = "expected 2^\(least)...2^6 at level \(level ?? HEVCLevel(rawValue: 30))"
                    #expect(error?.reason == "coding tree blocks of 2^\(size), \(expected)")
                }
            }
        }
    }

    @Test("what cannot be told is refused with the value")
    func refused() {
        #expect(error(15, 16) == "a picture of 15 x 16 samples has no whole chroma samples")
        #expect(error(32768, 32768) == "no level holds 32768 x 32768 samples at these rates")
        #expect(error { $0.referenceFrames = 16 } == "the number of reference frames is 16, expected 0...15")
        for size in [-4, -3, 4, 62, .max - 3] {
            var blocks = HEVCBlockSizes()
            blocks.log2MinLumaCodingBlockSizeMinus3 = size
            let wanted = SequenceConfiguration(displaySize: PictureSize(width: 64, height: 64))
            #expect(throws: ParameterSetError.self) { try HEVCSPS(wanted, blocks: blocks) }
        }
        let small = SequenceConfiguration(displaySize: PictureSize(width: 64, height: 64))
        for (level, isTaken) in [(30, false), (90, false), (93, false), (120, true), (186, true)] {
            let level = HEVCLevel(rawValue: level)
            let error = thrown { _ = try HEVCSPS(small, isHighTier: true, level: level) } as? ParameterSetError
            let reason = "the High tier has no level \(level), it begins at level 4"
            #expect(error?.reason == (isTaken ? nil : reason))
        }
        #expect(error { $0.bitDepth = 13 } == "13 bits per sample, expected 8...12")
        #expect(error { $0.bufferModel = .init(bitsPerSecond: 1000, bufferBits: 1000) } != nil)
    }
}
