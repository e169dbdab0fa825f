// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct DeviceTests {
    private static let size = 98 * 66 * 3 / 2

    @Suite(.requiresProgram(.ffmpeg, "Xvfb", DeviceTool.softva)) struct OnSoftva {
        @Test(
            "encode writes streams whose pictures are those that the driver reconstructed, and it objects to nothing",
            arguments: [
                ("h264", ["--qp", "30"], "yuv420p"), ("hevc", ["--average-bit-rate", "300k"], "yuv420p"),
                ("h264", ["--profile-level", "h264-constrained-baseline-auto", "--quality", "0.6"], "yuv420p"),
                ("hevc", ["--qp", "28", "--format", "p010"], "yuv420p10le"),
            ])
        func encode(codec: String, options: [String], pixelFormat: String) async throws {
            try await withTemporaryDirectory { folder in
                let isDeep = pixelFormat != "yuv420p"
                let input =
                    isDeep
                    ? try folder.write(Self.rawPictures, to: "in.p010")
                    : try folder.write(CommandLineTool.y4m(frames: 12, width: 98, height: 66), to: "in.y4m")
                let stream = folder.path("out.\(codec)")
                try await DeviceTool.onSoftva(
                    [
                        "encode", input, "-o", stream, "--encoder", "vaapi", "--codec", codec, "--device", "x11",
                        "--no-frame-reordering", "--max-key-frame-interval", "5",
                    ] + (isDeep ? ["--size", "98x66", "--expected-frame-rate", "25"] : []) + options, in: folder)
                let shown = try await ExternalProgram.ffmpeg.run([
                    "-v", "warning", "-i", stream, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
                    pixelFormat,
                    "-",
                ])
                #expect(shown.standardError == "")
                let count = size * 12 * (isDeep ? 2 : 1)
                #expect(shown.standardOutput.count == count)
                // A picture that was tried out comes first where a bit rate is kept.
                #expect(try folder.read("recon.yuv").suffix(count).elementsEqual(shown.standardOutput))
                let said = String(decoding: try folder.read("report"), as: UTF8.self).split(separator: "\n")
                // The process may end while the session's thread still closes its display, which counts as a leak.
                let objections = said.filter { !$0.hasPrefix("pictures ") && !$0.hasPrefix("leak ") }
                #expect(objections == [] && !said.isEmpty)
            }
        }

        @Test(
            "a clip whose colors AMD's driver of Debian 12 cannot signal is encoded without them, and that is told",
            arguments: ["h264", "hevc"])
        func colors(codec: String) async throws {
            try await withTemporaryDirectory { folder in
                let stream = folder.path("out.\(codec)")
                let clip = try BundledClip.path(executable: CommandLineTool.encbench.name)
                let output = try await DeviceTool.onSoftva(
                    [
                        "encode", clip, "-o", stream, "--frames", "4", "--encoder", "vaapi", "--codec", codec,
                        "--device",
                        "x11",
                    ], as: "radeonsi-old", in: folder)
                #expect(output.standardError.contains("the colors 1,1,1 of the input will not be in the stream"))
                let shown = try await ExternalProgram.ffmpeg.run([
                    "-v", "warning", "-i", stream, "-fps_mode", "passthrough", "-f", "framemd5", "-",
                ])
                let pictures = String(decoding: shown.standardOutput, as: UTF8.self).split(separator: "\n")
                    .count { !$0.hasPrefix("#") }
                #expect(shown.standardError == "" && pictures == 4)
            }
        }

        @Test("after four failures the device is opened again, and all but four pictures come out")
        func reopened() async throws {
            try await withTemporaryDirectory { folder in
                let input = try folder.write(CommandLineTool.y4m(frames: 12, width: 98, height: 66), to: "in.y4m")
                let stream = folder.path("out.h264")
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await DeviceTool.onSoftva(
                        [
                            "encode", input, "-o", stream, "--encoder", "vaapi", "--codec", "h264", "--device", "x11",
                            "--no-frame-reordering", "--qp", "30",
                        ], faults: (4...7).map { "endpicture:\($0)=encoding_error" }.joined(separator: ","), in: folder)
                }
                #expect(error?.standardError.contains("4 of 12 frames are missing") == true)
                let shown = try await ExternalProgram.ffmpeg.run([
                    "-v", "warning", "-i", stream, "-fps_mode", "passthrough", "-f", "rawvideo", "-",
                ])
                #expect(shown.standardError == "")
                #expect(shown.standardOutput.count == size * 8)
                // Each connection ends its report with such a line; those that only list encoders coded nothing.
                let connections = String(decoding: try folder.read("report"), as: UTF8.self).split(separator: "\n")
                    .filter { $0.hasPrefix("pictures ") && !$0.hasPrefix("pictures 0") }
                #expect(connections.count == 2, "\(connections)")
            }
        }

        @Test("target and compare use the device that is named, and the printed command says it")
        func search() async throws {
            try await withTemporaryDirectory { folder in
                let input = try folder.write(CommandLineTool.y4m(frames: 3, width: 98, height: 66), to: "in.y4m")
                let output = try await DeviceTool.onSoftva(
                    ["target", input, "--psnr", "30", "--encoder", "vaapi", "--device", "x11", "--json", "-"],
                    in: folder)
                let report = try JSONDecoder().decode(TargetReport.self, from: Data(output.standardOutput))
                let answer = try #require(report.answers.first)
                #expect(answer.isReached && answer.command.contains(" --device x11 "), "\(answer.command)")
                let compared = try await DeviceTool.onSoftva(
                    [
                        "compare", input, "--encoder", "vaapi,x264", "--device", "x11", "--qp", "30", "--rounds", "0",
                        "--json", "-",
                    ],
                    in: folder)
                let points = try JSONDecoder().decode(ComparisonReport.self, from: Data(compared.standardOutput)).clips[
                    0
                ]
                .points
                #expect(points.contains { $0.variant == "vaapi h264" && $0.codec == "h264" })
                #expect(points.contains { $0.variant == "x264 medium" && $0.codec == "h264" })
            }
        }

        @Test("a device is compared with x265 by what it makes of HEVC, and with itself by both codecs")
        func codecs() async throws {
            try await withTemporaryDirectory { folder in
                let input = try folder.write(CommandLineTool.y4m(frames: 3, width: 98, height: 66), to: "in.y4m")
                for (words, curves) in [
                    (["x265,vaapi"], ["x265 medium hevc", "vaapi hevc hevc"]),
                    (["vaapi", "--codec", "h264,hevc"], ["vaapi h264 h264", "vaapi hevc hevc"]),
                ] {
                    let output = try await DeviceTool.onSoftva(
                        [
                            "compare", input, "--device", "x11", "--qp", "30", "--rounds", "0", "--json", "-",
                            "--encoder",
                        ]
                            + words, in: folder)
                    let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(output.standardOutput))
                    let points = report.clips[0].points.filter { !$0.isDefault }
                    #expect(points.map { "\($0.variant) \($0.codec)" } == curves)
                }
                let output = try await DeviceTool.onSoftva(
                    ["target", input, "--psnr", "30", "--encoder", "vaapi", "--codec", "hevc", "--device", "x11"]
                        + ["--json", "-"], in: folder)
                let answer = try JSONDecoder().decode(TargetReport.self, from: Data(output.standardOutput)).answers[0]
                #expect(answer.variant == "vaapi hevc" && answer.command.contains("--codec hevc"), "\(answer.command)")
            }
        }

        /// Twelve pictures of ten bits.
        private static let rawPictures = (0..<12 * size).flatMap { sample -> [UInt8] in
            let value = UInt16(200 + (sample * 7 + sample / 98 * 3) % 600) << 6
            return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }

        @Test("a driver whose encoders do not open has refused each case, and nothing is waited for")
        func refusing() async throws {
            try await withTemporaryDirectory { folder in
                let path = folder.path("report.json")
                try await DeviceTool.onSoftva(
                    ["probe", "--device", "x11", "--report", path], faults: "createcontext=operation_failed", in: folder
                )
                let report = try JSONDecoder().decode(ProbeReport.self, from: Data(try folder.read("report.json")))
                let findings = Set((report.selfTests ?? []).map { "\($0.verdict) \($0.finding ?? "")" })
                #expect(!findings.isEmpty)
                #expect(findings.allSatisfy { $0.hasPrefix("refused refused by the driver: vaCreateContext of") })
            }
        }

        @Test("a report to send back tells that encoders work, and neither who nor where", .inTurn())
        func report() async throws {
            try await withTemporaryDirectory { folder in
                let path = folder.path("report.json")
                try await DeviceTool.onSoftva(["probe", "--device", "x11", "--report", path], in: folder)
                let bytes = try folder.read("report.json")
                let report = try JSONDecoder().decode(ProbeReport.self, from: Data(bytes))
                let tests = try #require(report.selfTests)
                for encoder in report.encoders.filter({ $0.device == "x11" }) {
                    let names = tests.filter { $0.encoder == encoder.identifier }.map(\.name)
                    #expect(names.count == (encoder.codec == "h264" ? 10 : 13), "\(names)")
                }
                // softva may be too slow for the largest on a machine that does other things, which is told then: what
                // is not finished in time, and what no time is left for.
                let others = tests.filter { test in
                    test.verdict != .works && test.verdict != .untried && !test.name.hasPrefix("1920x1080")
                        && test.finding?.contains("pictures came out within") != true
                }
                #expect(others == [] && report.trying == nil, "\(others)")
                let tried = Set(tests.map(\.encoder))
                #expect(tried.count > 1 && Set(tests.prefix(tried.count).map(\.encoder)) == tried)
                for encoder in tried {
                    #expect(tests.count { $0.encoder == encoder && $0.verdict == .works } >= 3, "\(encoder)")
                }
                for test in tests where test.verdict == .works {
                    #expect(
                        test.decodedFrames == test.sizes.count && test.error == nil && test.dropped == [], "\(test)")
                    #expect(test.types.first == "i" && test.streamSHA256?.count == 64)
                }
                #expect(report.devices.map(\.path) == ["x11"] && report.devices[0].driver == "softva: strict")
                #expect(report.devices[0].entryPoints.count == 5 && report.system != nil)
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains(ProcessInfo.processInfo.hostName) && !text.contains(folder.path("")))
            }
        }
    }

    @Suite(
        .requiresProgram(.ffprobe, DeviceTool.shim),
        .enabled(if: DeviceTool.hasIntelDriver, "SKIPPED, needs the package intel-media-va-driver"))
    struct OnIntel {
        @Test(
            "Intel's driver takes what encode gives it, and the headers are those asked for",
            arguments: [
                ("h264", ["--qp", "30", "--profile-level", "h264-main-auto"], "h264,Main,98,66"),
                ("hevc", ["--average-bit-rate", "300k"], "hevc,Main,130,146"),
            ])
        func encode(codec: String, options: [String], expected: String) async throws {
            try await withTemporaryDirectory { folder in
                let (width, height) = codec == "h264" ? (98, 66) : (130, 146)
                let input = try folder.write(CommandLineTool.y4m(frames: 6, width: width, height: height), to: "in.y4m")
                let stream = folder.path("out.\(codec)")
                let output = try await DeviceTool.onIntel(
                    [
                        "encode", input, "-o", stream, "--encoder", "vaapi", "--codec", codec, "--device",
                        "/dev/dri/renderD128",
                    ] + options, in: folder)
                #expect(output.standardError.contains("6 frames"))
                let headers = try await ExternalProgram.ffprobe.run([
                    "-v", "quiet", "-select_streams", "v", "-show_entries", "stream=codec_name,profile,width,height",
                    "-of", "csv=p=0", stream,
                ])
                #expect(headers.text.split(separator: "\n").first.map(String.init) == expected)
            }
        }

        @Test(
            "a chip that hangs with one picture costs that picture and those behind it in flight, and the rest comes out",
            .inTurn(),
            arguments: ["h264", "hevc"], [2, 9, 14])
        func hang(codec: String, submission: Int) async throws {
            try await withTemporaryDirectory { folder in
                let input = try folder.write(CommandLineTool.y4m(frames: 30, width: 130, height: 146), to: "in.y4m")
                let stream = folder.path("out.\(codec)")
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await DeviceTool.onIntel(
                        [
                            "encode", input, "-o", stream, "--encoder", "vaapi", "--codec", codec, "--device",
                            "/dev/dri/renderD128", "--qp", "30",
                        ], faults: "submit:\(submission)=hang", in: folder)
                }
                let said = String(describing: error)
                #expect(said.contains(#/ [123] of 30 frames are missing/#), "\(said)")
            }
        }

        @Test(
            "the doctor names the chip, and the firmware where it is missing",
            arguments: [("", ["low-power-only"]), ("huc=absent", ["firmware-missing", "low-power-only"])])
        func doctor(faults: String, codes: [String]) async throws {
            try await withTemporaryDirectory { folder in
                let output = try await DeviceTool.onIntel(["probe", "--json", "-"], faults: faults, in: folder)
                let report = try JSONDecoder().decode(ProbeReport.self, from: Data(output.standardOutput))
                #expect(report.devices.map(\.pci) == ["8086:9a49"] && report.devices[0].kernelDriver == "i915")
                #expect(report.devices[0].driver?.contains("iHD driver") == true)
                #expect(report.devices[0].entryPoints.map(\.profile).contains("HEVCMain10"))
                #expect(report.devices[0].entryPoints.allSatisfy { $0.attributes["RateControl"] != nil })
                #expect(report.diagnoses.map(\.code.rawValue) == codes)
                #expect(report.encoders.map(\.identifier).contains("vaapi.renderD128.hevc.lowpower"))
            }
        }
    }
}
