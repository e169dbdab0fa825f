// SPDX-License-Identifier: MIT

import SoftVAHarness
import TestSupport
import Testing

/// softva's H.264 coder against two decoders that share no code with it.
@Suite(.requiresProgram(.ffmpeg)) struct H264CoderTests {
    @Test(
        "FFmpeg shows what the coder reconstructed, byte for byte, and says nothing",
        arguments: Sample.of(Array(UInt64(1)...40), least: 12))
    func sampledReconstruction(seed: UInt64) async throws {
        let stream = H264Stream(seed: seed)
        #expect(stream.status == 0 && stream.violations == 0, "\(stream.description)")
        #expect(!stream.reconstruction.isEmpty)
        let shown = try await stream.shownByFFmpeg()
        #expect(shown.messages == "", "\(stream.description)")
        #expect(shown.bytes == stream.reconstruction, "\(stream.description)")
    }

    @Test("openh264 shows the same, where it can be asked", .requiresOpenH264Decoder)
    func reconstructionInOpenH264() {
        let streams = (UInt64(1)...100).lazy.map { H264Stream(seed: $0) }.filter(\.isPlain)
        var asked = 0
        for stream in streams {
            #expect(OpenH264Decoder.shown(stream.bytes) == stream.reconstruction, "\(stream.description)")
            asked += 1
        }
        #expect(asked >= 20)
    }

    @Test(
        "a structure that contradicts its header decodes to another picture, or not at all", .inTurn(),
        arguments: [
            H264_FAULT_REFERENCE, H264_FAULT_REFERENCE_COUNT, H264_FAULT_SLICE_TYPE, H264_FAULT_SLICE_QP,
            H264_FAULT_CABAC_INIT, H264_FAULT_DEBLOCKING, H264_FAULT_DEBLOCKING_OFFSET, H264_FAULT_ENTROPY_CODING,
            H264_FAULT_CHROMA_QP, H264_FAULT_CONSTRAINED_INTRA, H264_FAULT_TRANSFORM_SIZE, H264_FAULT_FRAME_NUM,
            H264_FAULT_ORDER_COUNT,
        ].map(\.rawValue))
    func contradiction(fault: UInt32) async throws {
        // Not every stream has the field: without CABAC there is no cabac_init_idc, with one reference no other.
        var found = 0
        for seed in UInt64(1)...6 where found < 2 {
            let stream = H264Stream(seed: seed, fault: h264_fault(rawValue: fault))
            try #require(stream.status == 0)
            if await stream.isShownDifferently() { found += 1 }
        }
        #expect(found == 2)
    }

    @Test(
        "what the coder does not encode is refused, and the field is named",
        arguments: [
            (H264_ASK_422, "seq.chroma_format_idc"), (H264_ASK_10_BITS, "seq.bit_depth_luma_minus8"),
            (H264_ASK_FIELDS, "seq.frame_mbs_only_flag"), (H264_ASK_WEIGHTS, "picture.weighted_bipred_idc"),
            (H264_ASK_SCALING_MATRIX, "picture.pic_scaling_matrix_present_flag"),
        ].map { ($0.0.rawValue, $0.1) })
    func refusal(fault: UInt32, field: String) {
        let stream = H264Stream(seed: 1, fault: h264_fault(rawValue: fault))
        #expect(stream.status == 24)  // VA_STATUS_ERROR_ENCODING_ERROR
        #expect(stream.field == field)
    }

    @Test("a reference that was never written is grey, and the list entry is named")
    func unwrittenReference() async {
        let stream = H264Stream(seed: 2, fault: H264_FAULT_UNWRITTEN)
        #expect(stream.status == 0)
        #expect(stream.field == "slice.RefPicList0[0]")
        #expect(await stream.isShownDifferently())
    }

    @Test("random structures are coded or refused, and never written beyond the output")
    func hostileStructures() {
        let statuses = (UInt64(1)...300).map { h264_run_hostile($0) }
        #expect(statuses.contains(0))
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 18 || $0 == 24 })
    }

    @Test(
        "at QP 28 a clip keeps 32 dB, and predicted pictures take half of the bytes of intra ones",
        .requiresMedia("clips/webcam_cif_60f.mkv"), arguments: [false, true])
    func clip(cabac: Bool) async throws {
        let path = try TestMedia.path("clips/webcam_cif_60f.mkv")
        let raw = try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-i", path, "-frames:v", "10", "-pix_fmt", "nv12", "-f", "rawvideo", "-"])
        try await withTemporaryDirectory { folder in
            let clip = try folder.write(raw.standardOutput, to: "clip.nv12")
            let streams = (cabac ? "IPB" : "IP").map {
                H264Stream(clip: clip, width: 352, height: 288, frames: 10, gop: $0, cabac: cabac)
            }
            for stream in streams {
                #expect(stream.status == 0 && stream.violations == 0)
                #expect(stream.lowestPSNR >= 32, "\(stream.description)")
                #expect(!(await stream.isShownDifferently()), "\(stream.description)")
            }
            for stream in streams.dropFirst() {
                #expect(stream.laterBytes * 2 <= streams[0].laterBytes, "\(stream.description)")
            }
        }
    }
}
