// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Testing

@Suite struct OutputFormatTests {
    @Test(
        "the extension chooses the format",
        arguments: [
            ("-", OutputFormat.elementaryStream), ("a.h264", .elementaryStream), ("/x.mp4/a.264", .elementaryStream),
            ("a.HEVC", .elementaryStream), ("a.265", .elementaryStream), ("a.b.mp4", .mp4), ("a.mkv", .matroska),
            ("a.flv", .flv), ("a.ts", .transportStream),
        ])
    func byExtension(path: String, format: OutputFormat) throws {
        #expect(try OutputFormat(path: path) == format)
    }

    @Test("other extensions are refused by name", arguments: ["a.avi", "a", "dir.mp4/a", ""])
    func refused(path: String) {
        let error = #expect(throws: MediaFileError.self) { try OutputFormat(path: path) }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(".mkv") == true)
    }

    @Test("an elementary stream's extension promises a codec")
    func codec() {
        #expect(OutputFormat.codec(ofElementaryStream: "a.264") == .h264)
        #expect(OutputFormat.codec(ofElementaryStream: "a.HEVC") == .hevc)
        #expect(OutputFormat.codec(ofElementaryStream: "-") == nil)
    }
}
