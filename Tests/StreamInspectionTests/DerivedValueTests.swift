// SPDX-License-Identifier: MIT

import CLibAV
import FFmpegVideo
import FoundationEssentials
import ParameterSets
import TestSupport
import Testing

@testable import StreamInspection

/// What `inspect` derives from sequence parameter sets, against programs that share no code with it.
@Suite(.requiresMedia("MANIFEST.tsv")) struct DerivedValueTests {
    /// The first sequence parameter set of a file.
    private struct Sequence {
        var values: [String: DerivedValue] = [:]
        var hasRestriction = false
        var isHEVC = false

        func text(_ name: String) -> String? {
            if case .text(let text) = values[name] { text } else { nil }
        }

        func number(_ name: String) -> Int? {
            if case .number(let number) = values[name] { number } else { nil }
        }
    }

    private func sequence(_ path: String) throws -> Sequence {
        var inspection = try StreamInspection(path: path)
        while let units = try inspection.next() {
            for unit in units {
                guard let type = unit.typeName, type.hasPrefix("SPS"), !unit.derived.isEmpty else { continue }
                return Sequence(
                    values: Dictionary(uniqueKeysWithValues: unit.derived.map { ($0.name, $0.value) }),
                    hasRestriction: unit.elements.contains {
                        $0.name.field == "bitstream_restriction_flag" && $0.number == 1
                    }, isHEVC: type == "SPS_NUT")
            }
        }
        throw StreamInspectionError(code: .corrupt, reason: "no sequence parameter set", path: path, byteOffset: nil)
    }

    private static func files(_ folder: String) -> [String] {
        TestMedia.manifest.filter { entry in
            ["h264", "hevc"].contains(entry.codec) && entry.path.hasPrefix(folder + "/") && !lacks.contains(entry.path)
                && !entry.path.contains("malformed") && !entry.path.contains("length_prefixed")
        }.map(\.path)
    }

    /// Its only picture is of a layer whose format stands in the video parameter set.
    private static let lacks = ["streams/hevc/heif_B023.265"]

    // MARK: - FFmpeg

    /// What FFmpeg knows of a stream, as ffprobe prints it.
    private struct Probe {
        var width: Int
        var height: Int
        var profile: String
        var level: Int
        var pixelFormat: String?
        var pixelAspectRatio: String
        var frameRate: String
        var reorderFrames: Int
        var isFullRange: Bool
        var primaries: String?
        var transfer: String?
        var matrix: String?
    }

    /// In this process: a start of ffprobe takes longer than most files do.
    private func probe(_ file: String, _ sequence: Sequence) throws -> Probe {
        let format = file.hasPrefix("streams/") ? (sequence.isHEVC ? "hevc" : "h264") : nil
        var reason = [CChar](repeating: 0, count: 512)
        guard let video = ffmpeg_video_open(try TestMedia.path(file), format, &reason, reason.count) else {
            throw StreamInspectionError(
                code: .cannotOpen, reason: "FFmpeg cannot open it: \(reason)", path: file, byteOffset: nil)
        }
        defer { ffmpeg_video_close(video) }
        let stream = ffmpeg_video_stream(video).pointee
        let parameters = stream.codecpar.pointee
        let aspect = ffmpeg_video_pixel_aspect_ratio(video)
        return Probe(
            width: Int(parameters.width), height: Int(parameters.height),
            profile: Self.text(ffmpeg_profile_name(video)) ?? "\(parameters.profile)", level: Int(parameters.level),
            pixelFormat: Self.text(ffmpeg_pixel_format_name(video)),
            pixelAspectRatio: aspect.num == 0 ? "0:1" : "\(aspect.num):\(aspect.den)",
            frameRate: "\(stream.r_frame_rate.num)/\(stream.r_frame_rate.den)",
            reorderFrames: Int(parameters.video_delay), isFullRange: parameters.color_range == AVCOL_RANGE_JPEG,
            primaries: Self.text(ffmpeg_color_primaries_name(video)),
            transfer: Self.text(ffmpeg_color_transfer_name(video)), matrix: Self.text(ffmpeg_color_space_name(video)))
    }

    private static func text(_ name: UnsafePointer<CChar>?) -> String? { name.map { String(cString: $0) } }

    /// FFmpeg's names of what the standards name otherwise; of HEVC's profiles from 5 on it knows one.
    private static let profiles = ["Format Range Extensions": "Rext", "Screen-Extended": "9", "profile 0": "0"]
    private static let primaries = [
        "BT.709": "bt709", "BT.601 625": "bt470bg", "BT.601 525": "smpte170m", "BT.2020": "bt2020",
    ]
    private static let transfers = [
        "BT.709": "bt709", "BT.601": "smpte170m", "PQ": "smpte2084", "HLG": "arib-std-b67", "sRGB": "iec61966-2-1",
    ]
    private static let matrices = [
        "BT.709": "bt709", "BT.601 625": "bt470bg", "BT.601 525": "smpte170m", "BT.2020 non-constant": "bt2020nc",
        "RGB": "gbr",
    ]

    /// FFmpeg decodes no slice groups, and no stream without a picture.
    private static let undecoded = [
        "boxout_test", "dispersed_test", "explicit_test", "interleaved_test", "sps_subsetsps_bothVUI",
    ]

    @Test(
        "elementary streams are what FFmpeg says", .requiresLibAV,
        arguments: files("streams").filter { file in !undecoded.contains { file.contains($0) } })
    func elementaryStream(file: String) throws {
        let sequence = try sequence(TestMedia.path(file))
        let probe = try probe(file, sequence)
        expectFormat(sequence, probe)
        expectColor(sequence, probe)
        #expect((sequence.text("pixel_aspect_ratio") ?? "0:1") == probe.pixelAspectRatio)
        if let rate = sequence.text("frame_rate") {
            #expect(probe.frameRate == (rate.contains("/") ? rate : rate + "/1"))
        }
        // FFmpeg counts where a stream does not say; in this one it counts more than the stream says.
        if sequence.isHEVC || sequence.hasRestriction, !file.hasSuffix("oxideav_r429-lf-bgop-qp33.hevc") {
            #expect(sequence.number("reorder_frames") == probe.reorderFrames)
        }
    }

    /// Containers that say otherwise than their streams, and for whom FFmpeg believes the container.
    private static let contradicted = [
        "fate_crop-to-container-dims-canon.mp4": "the sample entry has the size without the rows below",
        "mp4ff_avc3_golden_init_video.mp4": "it has no samples, and its parameter sets stand before them",
        "mp4ff_init_with_colr.mp4": "it has no samples",
    ]

    @Test(
        "containers' streams are what FFmpeg says", .requiresLibAV,
        arguments: files("containers").filter { file in !contradicted.keys.contains { file.hasSuffix($0) } })
    func container(file: String) throws {
        let sequence = try sequence(TestMedia.path(file))
        expectFormat(sequence, try probe(file, sequence))
    }

    private func expectFormat(_ sequence: Sequence, _ probe: Probe) {
        #expect(sequence.number("width") == probe.width && sequence.number("height") == probe.height)
        let profile = sequence.text("profile") ?? ""
        #expect((Self.profiles[profile] ?? profile) == probe.profile)
        let level = sequence.text("level").flatMap(Double.init)
        #expect(level.map { Int(($0 * (sequence.isHEVC ? 30 : 10)).rounded()) } == probe.level)
        let formats = ["4:0:0": "gray", "4:2:0": "yuv420p", "4:2:2": "yuv422p", "4:4:4": "yuv444p"]
        let depth = sequence.number("bit_depth_luma") ?? 0
        let isRGB = sequence.text("matrix_coefficients") == "RGB" && sequence.text("chroma_format") == "4:4:4"
        let format = isRGB ? "gbrp" : formats[sequence.text("chroma_format") ?? ""] ?? ""
        // The formats named yuvj are those of full range.
        let theirs = probe.pixelFormat.map { $0.hasPrefix("yuvj") ? "yuv" + $0.dropFirst(4) : $0 }
        #expect(format + (depth > 8 ? "\(depth)le" : "") == theirs)
    }

    private func expectColor(_ sequence: Sequence, _ probe: Probe) {
        #expect(sequence.text("range") == (probe.isFullRange ? "full" : "limited"))
        for (name, theirs, names) in [
            ("colour_primaries", probe.primaries, Self.primaries),
            ("transfer_characteristics", probe.transfer, Self.transfers),
            ("matrix_coefficients", probe.matrix, Self.matrices),
        ] {
            let own = sequence.text(name).flatMap { $0 == "unspecified" ? nil : $0 }
            #expect(own.map { names[$0] ?? $0 } == theirs, "\(name)")
        }
    }

    // MARK: - MediaInfo

    /// What MediaInfo prints of a stream.
    private struct Track: Decodable, Sendable {
        var kind: String
        var Width: String?
        var Height: String?
        var Format_Level: String?
        var Format_Tier: String?
        var ChromaSubsampling: String?
        var BitDepth: String?
        var colour_range: String?

        enum CodingKeys: String, CodingKey {
            case kind = "@type"
            case Width, Height, Format_Level, Format_Tier, ChromaSubsampling, BitDepth, colour_range
        }
    }

    private static let otherwise = [
        "auxiliary_tracks_interleaved_with_primary_video_tracks.mp4": "its first track is another",
        "fate_crop-to-container-dims-canon.mp4": "the sample entry has the size without the rows below",
        "fate_h264_extradata-reload-multi-stsd.mp4": "it describes the second sample entry",
        "fate_hevc_extradata-reload-multi-stsd.mp4": "it describes the second sample entry",
        "vkcts_clip-c.h264": "it describes a later sequence parameter set",
        "h264nal_foreman.svc.264": "it describes the scalable layers",
        "openh264_sps_subsetsps_bothVUI.264": "it describes the scalable layers",
        "gst_h265-dsc-signed.h265": "it prints no level 0", "libde265_paris-ra-wpp.265": "it prints no level 0",
    ]

    /// What it prints of all files in one start, by their paths.
    private static let mediaInfo = Task {
        struct Output: Decodable { var media: Media? }
        struct Media: Decodable {
            var ref: String
            var track: [Track]

            enum CodingKeys: String, CodingKey {
                case ref = "@ref"
                case track
            }
        }
        let paths = try (files("streams") + files("containers")).map { try TestMedia.path($0) }
        let output = try await ExternalProgram.mediaInfo.run(["--Output=JSON"] + paths)
        let media = try JSONDecoder().decode([Output].self, from: Data(output.standardOutput)).compactMap(\.media)
        return Dictionary(media.map { ($0.ref, $0.track) }) { first, _ in first }
    }

    @Test(
        "files are what MediaInfo says", .requiresProgram(.mediaInfo),
        arguments: (files("streams") + files("containers")).filter { file in
            !otherwise.keys.contains { file.hasSuffix($0) }
        })
    func mediaInfo(file: String) async throws {
        let path = try TestMedia.path(file)
        let tracks = try #require(try await Self.mediaInfo.value[path])
        // It does not know streams of few pictures.
        guard let track = tracks.first(where: { $0.kind == "Video" }) else { return }
        let sequence = try sequence(path)
        #expect(sequence.number("width").map(String.init) == track.Width)
        #expect(sequence.number("height").map(String.init) == track.Height)
        #expect(sequence.text("level") == track.Format_Level && sequence.text("tier") == track.Format_Tier)
        if let format = track.ChromaSubsampling { #expect(sequence.text("chroma_format") == format) }
        if let depth = track.BitDepth { #expect(sequence.number("bit_depth_luma").map(String.init) == depth) }
        if let range = track.colour_range { #expect(sequence.text("range") == range.lowercased()) }
    }
}
