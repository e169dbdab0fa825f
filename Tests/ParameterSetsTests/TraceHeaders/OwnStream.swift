// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// A stream that a test has made, and what is in it.
struct OwnStream: CustomTestStringConvertible, Sendable {
    /// x264 or x265.
    var encoder: ExternalProgram
    /// What FFmpeg calls the input's sample format.
    var format = "yuv420p"
    /// The encoder's options; `x264 OPTIONS -o OUT IN.y4m` is the command.
    var options: String
    /// Fields that only such a stream has, so that it is known to have been made as asked.
    var fields: [String]

    var testDescription: String { options }

    /// Makes the stream of five pictures of FFmpeg's `testsrc` and hands on its path.
    func withFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        try await withTemporaryDirectory { folder in
            let (input, output) = (folder.path("in.y4m"), folder.path("out.bin"))
            _ = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=176x144:rate=25", "-frames:v", "5", "-pix_fmt",
                format, "-strict", "-1", "-f", "yuv4mpegpipe", input,
            ])
            _ = try await encoder.run(options.split(separator: " ").map(String.init) + ["-o", output, input])
            return try await body(output)
        }
    }

    private static let mastering = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"

    static let h264 = [
        OwnStream(
            encoder: .x264, options: "--profile baseline --slices 3 --muxer raw", fields: ["first_mb_in_slice"]),
        OwnStream(
            encoder: .x264,
            options: "--tff --bframes 2 --b-pyramid normal --weightp 2 --nal-hrd cbr --bitrate 100 --vbv-maxrate 100 "
                + "--vbv-bufsize 100 --aud --pic-struct --muxer raw",
            fields: [
                "mb_adaptive_frame_field_flag", "cpb_cnt_minus1", "initial_cpb_removal_delay[0]", "pic_struct",
                "primary_pic_type",
            ]),
        OwnStream(
            encoder: .x264,
            options: "--cqm jvt --sar 4:3 --overscan crop --videoformat pal --range pc --colorprim bt709 --transfer "
                + "bt709 --colormatrix bt709 --chromaloc 2 --mastering-display \(mastering) --cll 1000,400 --muxer raw",
            fields: [
                "overscan_appropriate_flag", "chroma_sample_loc_type_top_field", "matrix_coefficients",
                "max_content_light_level", "white_point_x",
            ]),
        OwnStream(
            encoder: .x264, format: "yuv422p10le",
            options: "--output-depth 10 --output-csp i422 --profile high422 --muxer raw",
            fields: ["bit_depth_luma_minus8"]),
        OwnStream(
            encoder: .x264, format: "yuv444p", options: "--output-csp i444 --qp 0 --muxer raw",
            fields: ["separate_colour_plane_flag"]),
    ]

    static let hevc = [
        OwnStream(
            encoder: .x265,
            options:
                "--aud --hrd --vbv-maxrate 100 --vbv-bufsize 100 --bitrate 90 --repeat-headers --hash 1 --slices 2 "
                + "--weightb --bframes 2",
            fields: ["pic_type", "nal_initial_cpb_removal_delay[0]", "picture_md5[0][0]", "slice_segment_address"]),
        OwnStream(
            encoder: .x265, options: "--hash 2 --interlace tff --scaling-list default --no-open-gop",
            fields: ["picture_crc[0]", "pic_struct", "sps_scaling_list_data_present_flag"]),
        OwnStream(
            encoder: .x265,
            options: "--hash 3 --sar 4:3 --overscan crop --videoformat pal --range full --colorprim bt2020 --transfer "
                + "smpte2084 --colormatrix bt2020nc --chromaloc 2 --master-display \(mastering) --max-cll 1000,400",
            fields: [
                "picture_checksum[0]", "overscan_appropriate_flag", "matrix_coeffs", "max_content_light_level",
            ]),
        OwnStream(
            encoder: .x265, format: "yuv422p10le", options: "--output-depth 10 --temporal-layers",
            fields: ["general_max_422chroma_constraint_flag"]),
        OwnStream(
            encoder: .x265, format: "yuv444p", options: "--lossless --no-wpp --ctu 16 --tskip --tu-intra-depth 2",
            fields: ["separate_colour_plane_flag"]),
    ]
}
