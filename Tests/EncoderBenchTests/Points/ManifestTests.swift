// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import FoundationEssentials
import MediaFiles
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct ManifestTests {
    @Test("a study comes back from its lines as it was, one line for each point")
    func roundTrip() throws {
        var study = Studies.study(clips: 2)
        study.failures = [Study.Failure(clip: "x", point: nil, reason: "no \"video\"\nat all")]
        let bytes = try Manifest.bytes(study)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1 + study.points.count)
        #expect(try Manifest.study(bytes, path: "p") == study)
    }

    @Test("a plan that is cut anywhere, or is none, is refused with its path")
    func damage() throws {
        let bytes = try Manifest.bytes(Studies.study(quantizers: [22]))
        // Without the last line feed it is still whole.
        for count in stride(from: 0, to: bytes.count - 1, by: 37) {
            let error = #expect(throws: EncoderBenchError.self) {
                try Manifest.study(Array(bytes.prefix(count)), path: "some/path")
            }
            #expect(error?.description.hasPrefix("some/path: ") == true)
        }
    }

    @Test("a line that is not in its place is refused with both numbers")
    func order() throws {
        var lines = try Manifest.bytes(Studies.study()).split(separator: UInt8(ascii: "\n"))
        lines.swapAt(2, 4)
        let error = #expect(throws: EncoderBenchError.self) {
            try Manifest.study(Array(lines.joined(separator: [UInt8(ascii: "\n")])), path: "p")
        }
        #expect(error?.description == "p: no plan of encbench: line 3 is point 3, expected point 1")
    }

    @Test(
        "a header that was edited is refused with the name and value of the field",
        arguments: [
            (#""width":64"#, #""width":0"#, "clips[0].width 0, expected 1...65535"),
            (#""width":64"#, #""width":128"#, "clips[0].width 128, but point 0 has 64"),
            (#""height":48"#, #""height":-1"#, "clips[0].height -1, expected 1...65535"),
            (#""pixel_format":"i420""#, #""pixel_format":"x""#, "clips[0].pixel_format 'x', expected one of i420"),
            (#""frames_per_second":25"#, #""frames_per_second":-25"#, "clips[0].frames_per_second -25.0, expected"),
            (#""expected_frames":4"#, #""expected_frames":-4"#, "clips[0].expected_frames -4, expected 0 or more"),
            (#""sha256":"0""#, #""sha256":"1""#, "clips[0].sha256 1, but point 0 has 0"),
            (#""sha256":"0""#, #""sha256":"0","recognized_rate":"x/0""#, "clips[0].recognized_rate 'x/0', expected"),
            (#""sha256":"0""#, #""sha256":"0","recognized_rate":"24/1""#, "recognized_rate 24/1, but point 0 has none"),
            (#""path":"/clips/0""#, #""path":"/x""#, "clips[0].path /x, but point 0 has /clips/0"),
            (#""encoder":"x264""#, #""encoder":"y""#, "variants[0].encoder 'y', expected one of x264"),
            (#""encoder":"x264""#, #""encoder":"x265""#, "variants[0].encoder x265, but point 0 has x264"),
            (#""preset":"medium""#, #""preset":"slow""#, "variants[0], Preset slow, but point 0 has medium"),
            (#""test":1"#, #""test":2"#, "pairs[0].test 2, expected 0...1"),
            (#""test":1"#, #""test":0"#, "pairs[0]: anchor and test are both 0"),
            (#""threads_per_encoder":1"#, #""threads_per_encoder":0"#, "threads_per_encoder 0, expected 1...256"),
            (#""threads_per_encoder":1"#, #""threads_per_encoder":2"#, "threads_per_encoder 2, but point 0 has 1"),
            (#""psnr""#, #""x""#, "metrics 'x', expected"),
            (#""psnr","#, "", "metrics ssim, but point 0 has psnr, ssim"),
            (#""type":"study""#, #""type":"s""#, "type 's', expected 'study'"),
        ])
    func header(text: String, edited: String, message: String) throws {
        let bytes = String(decoding: try Manifest.bytes(Studies.study()), as: UTF8.self)
        let header = try #require(bytes.split(separator: "\n").first)
        let place = try #require(header.firstRange(of: text), "\(text) in \(header)")
        let changed = bytes[..<place.lowerBound] + edited + bytes[place.upperBound...]
        let error = #expect(throws: EncoderBenchError.self) { try Manifest.study(Array(changed.utf8), path: "p") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("what is no file on disk, or of no plan's size, is refused at once", .timeLimit(.minutes(1)))
    func special() async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram("bash").run([
                "-c", #"cd "$0"; mkfifo fifo; mkdir folder; ln -s /dev/zero zero; truncate -s 100G huge"#, folder.path,
            ])
            for name in ["fifo", "folder", "zero", "huge"] {
                let error = #expect(throws: MediaFileError.self) { try Manifest.read(folder.path(name)) }
                #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
            }
        }
    }

    @Test("a point that names a clip or variant that is not there is refused")
    func places() throws {
        for change in [{ $0.clip = 1 }, { $0.variant = 2 }] as [(inout PointSpec) -> Void] {
            var study = Studies.study()
            change(&study.points[0])
            let bytes = try Manifest.bytes(study)
            #expect(throws: EncoderBenchError.self) { try Manifest.study(bytes, path: "p") }
        }
    }
}
