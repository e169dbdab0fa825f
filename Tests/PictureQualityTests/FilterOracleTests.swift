// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import FoundationEssentials
import Glibc
import MediaFiles
import TestSupport
import Testing

@testable import PictureQuality

/// VMAF, XPSNR and MS-SSIM beside what ffmpeg says of the same pictures in two files of its own.
@Suite(.requiresProgram(.newerFFmpeg)) struct FilterOracleTests {
    /// Pictures of one format.
    struct Clip: Sendable, CustomTestStringConvertible {
        var size: String
        var format = "yuv420p"
        var rate = "25"
        var distortion = "noise=alls=18:all_seed=3"

        var testDescription: String { "\(size) \(format) \(rate) \(distortion)" }
    }

    private static let tools = MetricTools(["ffmpeg": ExternalProgram.newerFFmpeg.name])
    private static let clips = [
        Clip(size: "192x176"), Clip(size: "321x241"), Clip(size: "320x180", format: "yuv420p10le", rate: "60"),
        Clip(size: "253x199", format: "yuv420p10le", rate: "30000/1001"), Clip(size: "192x176", format: "yuv420p12le"),
        Clip(size: "192x176", distortion: "null"), Clip(size: "192x176", distortion: "gblur=sigma=2"),
    ]

    /// Writes both videos.
    private func files(_ clip: Clip, _ folder: TemporaryDirectory) async throws -> (source: String, decoded: String) {
        let paths = (folder.path("source.y4m"), folder.path("decoded.y4m"))
        for (path, filter) in [(paths.0, "null"), (paths.1, clip.distortion)] {
            try await ExternalProgram.newerFFmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(clip.size):r=\(clip.rate),format=\(clip.format)",
                "-vf",
                "\(filter),format=\(clip.format)", "-frames:v", "4", "-strict", "-1", path,
            ])
        }
        return paths
    }

    /// What the filter prints for the two files.
    private func log(_ files: (source: String, decoded: String), _ filter: String) async throws -> [UInt8] {
        try await ExternalProgram.newerFFmpeg.run([
            "-v", "info", "-nostats", "-hide_banner", "-i", files.decoded, "-i", files.source, "-lavfi", filter, "-f",
            "null",
            "-",
        ]).standardOutput
    }

    private func measured(_ metric: Metric, _ files: (source: String, decoded: String)) throws -> FrameTable {
        let (source, decoded) = (try VideoInput.open(path: files.source), try VideoInput.open(path: files.decoded))
        var series = PictureSeries([metric], of: source.info, tools: Self.tools)
        while let frame = try source.next(), let picture = try decoded.next() {
            try series.add(source: frame, decoded: picture.picture)
        }
        var frames = try series.finish()
        frames.bytes = [Int](repeating: 1, count: series.count)
        return frames
    }

    @Test("VMAF of each frame, and their mean, are ffmpeg's to the last of its digits", arguments: clips)
    func vmaf(clip: Clip) async throws {
        try await withTemporaryDirectory { folder in
            let files = try await files(clip, folder)
            let bytes = try await log(files, "libvmaf=log_fmt=json:log_path=/dev/stdout")
            let text = String(decoding: bytes, as: UTF8.self)
            let expected = text.matches(of: #/"vmaf": ([0-9.]+)/#).compactMap { Double($0.1) }
            let frames = try measured(.vmaf, files)
            #expect(expected.count == 4 && frames.column("vmaf") == expected)
            let pooled = try #require(
                text.matches(of: #/"vmaf": \{[^}]*"mean": ([0-9.]+)/#).first.flatMap { Double($0.1) })
            #expect(abs(try #require(frames.mean("vmaf")) - pooled) < 2e-6)
        }
    }

    @Test(
        "VMAF v1 of each frame is ffmpeg's, at ten bits whatever the clip has, for screens, phones and 4K",
        arguments: [Clip(size: "320x270"), Clip(size: "401x301", format: "yuv420p10le", rate: "60")])
    func vmafV1(clip: Clip) async throws {
        try await withTemporaryDirectory { folder in
            let files = try await files(clip, folder)
            for (metric, model) in [
                (Metric.vmafV1, "vmaf_v1.0.16_3d0h"), (.vmafV1Phone, "vmaf_v1.0.16_5d0h"),
                (.vmafV1UltraHD, "vmaf_v1.0.16_1d5h_2160"),
            ] {
                let deep = "[0]format=yuv420p10le[a];[1]format=yuv420p10le[b];[a][b]"
                let bytes = try await log(
                    files, deep + "libvmaf=model=version=\(model):log_fmt=json:log_path=/dev/stdout")
                let expected = String(decoding: bytes, as: UTF8.self).matches(of: #/"vmaf": ([0-9.]+)/#)
                    .compactMap { Double($0.1) }
                let column = try #require(metric.columns.first)
                #expect(try measured(metric, files).column(column) == expected && expected.count == 4, "\(model)")
                let maker = try Self.tools.maker(of: metric)
                #expect(maker.contains(", \(model), ffmpeg ") && maker.hasSuffix(", at 10 bits or more"), "\(maker)")
            }
        }
    }

    @Test("XPSNR of each frame and plane, and their average, are ffmpeg's to the last of its digits", arguments: clips)
    func xpsnr(clip: Clip) async throws {
        try await withTemporaryDirectory { folder in
            let files = try await files(clip, folder)
            let text = String(decoding: try await log(files, "xpsnr=stats_file=/dev/stdout"), as: UTF8.self)
            let frames = try measured(.xpsnr, files)
            for (plane, column) in XPSNR.columns.enumerated() {
                let key = ["y", "u", "v"][plane]
                let pattern = try Regex("\(key): +([0-9.]+|inf)", as: (Substring, Substring).self)
                let expected = text.matches(of: pattern).compactMap { Double($0.output.1) }
                let values = try #require(frames.column(column)).map { -10 * log10($0) }
                let pooled = try #require(XPSNR.ofColumn(column, frames))
                #expect(expected.count == 5)
                for (value, reference) in zip(values + [pooled], expected) {
                    #expect(value == reference || abs(value - reference) < 1.1e-4, "\(key): \(value) and \(reference)")
                }
            }
        }
    }

    @Test("MS-SSIM of each frame is libvmaf's to a hundred-thousandth", arguments: clips)
    func multiScaleSimilarity(clip: Clip) async throws {
        try await withTemporaryDirectory { folder in
            let files = try await files(clip, folder)
            let bytes = try await log(files, "libvmaf=feature=name=float_ms_ssim:log_fmt=json:log_path=/dev/stdout")
            let expected = String(decoding: bytes, as: UTF8.self).matches(of: #/"float_ms_ssim": ([0-9.]+)/#)
                .compactMap { Double($0.1) }
            let values = try #require(try measured(.multiScaleSimilarity, files).column("ms_ssim_y"))
            #expect(expected.count == 4 && values.count == 4)
            for (value, reference) in zip(values, expected) {
                #expect(abs(value - reference) < 1e-5, "\(value) and \(reference)")
            }
        }
    }

    @Test("who measures is named with its library, its model and its version")
    func makers() throws {
        let maker = try Self.tools.maker(of: .vmaf)
        #expect(maker.contains("libvmaf ") && maker.contains(", vmaf_v0.6.1, ffmpeg "), "\(maker)")
        #expect(try Self.tools.maker(of: .vmafNoEnhancementGain).contains("vmaf_v0.6.1neg"))
        #expect(try Self.tools.maker(of: .xpsnr).hasPrefix("ffmpeg "))
        let planned = try Self.tools.makers(of: [.xpsnr, .squaredError])
        try Self.tools.check(planned)
        let error = #expect(throws: CommandFailure.self) { try Self.tools.check(["xpsnr": "ffmpeg 0"]) }
        #expect(error?.description.hasPrefix("xpsnr was planned with ffmpeg 0, here it is ffmpeg ") == true)
    }
}
