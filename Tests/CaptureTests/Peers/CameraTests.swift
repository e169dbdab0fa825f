// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import TestSupport
import Testing

/// A camera that a preloaded library pretends: no camera was used.
@Suite(.requiresPrograms(PretendedCamera.programs)) struct CameraTests {
    /// Captures from a pretended camera, and reads what it tells of its frames.
    private func capture(
        _ arguments: [String], _ settings: [String], in folder: borrowing TemporaryDirectory
    ) async throws -> (report: ProbeReport, frames: [PretendedCamera.Frame]) {
        let preload = try await PretendedCamera.build()
        let log = folder.path("frames.log")
        try folder.write([UInt8](), to: "frames.log")
        let report = try await Probe.run(
            ["pictures", "v4l2:"] + arguments, settings + [preload, "V4L2_SHIM_LOG=\(log)"])
        let frames = PretendedCamera.frames(String(decoding: try folder.read("frames.log"), as: UTF8.self))
        return (report, frames)
    }

    /// Compares pictures with the camera's own account: each is a frame of it, at its stamp; none is invented, and what
    /// lies between two of them was lost.
    private func compare(_ report: ProbeReport, _ frames: [PretendedCamera.Frame]) throws {
        let good = frames.filter { $0.fate == "frame" }.map(\.time)
        let times = report.pictures.map(\.time)
        let (first, last) = (try #require(times.first, "\(report.lines)"), try #require(times.last))
        let start = try #require(good.firstIndex(of: first), "\(report.lines.prefix(3))")
        try #require(good.count >= start + times.count)
        #expect(Array(good[start..<start + times.count]) == times)
        for (picture, interval) in zip(report.pictures, report.intervals) { #expect(picture.duration == interval) }
        let range = first...last
        let missing = frames.count { $0.fate != "frame" && range.contains($0.time) }
        // The last picture waits for its duration, so that a gap behind it may be counted.
        let after = frames.drop { $0.time <= range.upperBound }.prefix { $0.fate != "frame" }.count
        let lost = report.statistics["lost"] ?? -1
        #expect((missing...missing + after).contains(lost), "\(lost) counted, \(missing) missing")
    }

    @Test("every frame has its stamp as time, lost ones are counted, and durations reach over the gaps")
    func lost() async throws {
        try await withTemporaryDirectory { folder in
            let (report, frames) = try await capture(
                ["60", "durations"],
                ["V4L2_SHIM_MODES=YUYV:64x48@60", "V4L2_SHIM_LOST=10", "V4L2_SHIM_SEED=5"], in: folder)
            #expect(report.line("format") == "format 64x48 i420 60/1 rawvideo, yuyv422")
            #expect(report.pictures.count == 60 && (report.statistics["lost"] ?? 0) > 0)
            try compare(report, frames)
        }
    }

    @Test(
        "half a minute, or ten, with 5 % of the buffers lost: times right, durations stretched, nothing invented",
        .thorough())
    func thoroughLostBuffers() async throws {
        try await withTemporaryDirectory { folder in
            let count = Sample.depth() == .long ? 17_100 : 855
            let (report, frames) = try await capture(
                ["\(count)", "durations"], ["V4L2_SHIM_MODES=YUYV:64x48@30", "V4L2_SHIM_LOST=5"], in: folder)
            try compare(report, frames)
            #expect((report.statistics["lost"] ?? 0) > count / 25)
        }
    }

    @Test("the formats that sessions take are passed on, at the rate of the mode")
    func taken() async throws {
        try await withTemporaryDirectory { folder in
            let (report, frames) = try await capture(
                ["5", "durations"], ["V4L2_SHIM_MODES=YUYV:64x48@30,NV12:64x48@60"], in: folder)
            // Thirty is enough, and NV12 has it not.
            #expect(report.line("format") == "format 64x48 i420 30/1 rawvideo, yuyv422")
            try compare(report, frames)
        }
        try await withTemporaryDirectory { folder in
            let (report, _) = try await capture(
                ["3", "rate=60"], ["V4L2_SHIM_MODES=YUYV:64x48@30,NV12:64x48@60"], in: folder)
            #expect(report.line("format") == "format 64x48 nv12 60/1 rawvideo, nv12")
        }
    }

    @Test("MJPEG is decoded: full range and 4:2:2 become what sessions take", .requiresProgram(.ffmpeg))
    func motionJPEG() async throws {
        try await withTemporaryDirectory { folder in
            // White of full range is 255, of limited range 235.
            let jpeg = folder.path("white.jpg")
            try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=white:size=64x48,format=yuvj422p", "-frames:v", "1",
                    "-f", "mjpeg", jpeg,
                ])
            let (report, frames) = try await capture(
                ["10", "durations"], ["V4L2_SHIM_MODES=MJPG:64x48@30", "V4L2_SHIM_JPEG=\(jpeg)"], in: folder)
            #expect(report.line("format") == "format 64x48 i420 30/1 mjpeg, yuvj422p")
            #expect(report.pictures.allSatisfy { abs($0.mean - 235) < 1.5 }, "\(report.lines)")
            try compare(report, frames)
        }
    }

    @Test("damaged buffers are left out, counted, and lost where they were due")
    func damaged() async throws {
        try await withTemporaryDirectory { folder in
            let (report, frames) = try await capture(
                ["20", "durations"], ["V4L2_SHIM_MODES=YUYV:64x48@60", "V4L2_SHIM_DAMAGED=4"], in: folder)
            #expect((report.statistics["damaged"] ?? 0) >= 5)
            try compare(report, frames)
        }
    }

    @Test("the dark first frames are left out until the luma is steady")
    func dark() async throws {
        try await withTemporaryDirectory { folder in
            let (report, _) = try await capture(
                ["12", "steady=5000"], ["V4L2_SHIM_MODES=NV12:128x48@60", "V4L2_SHIM_DARK=40"], in: folder)
            let means = report.pictures.map(\.mean)
            try #require(means.count == 12)
            #expect(abs(means[0] - means[9]) <= 5, "\(means)")
            #expect((report.statistics["dark"] ?? 0) > 10)
        }
    }

    @Test("a camera that vanishes is told of when all before was given, and one that stands still too")
    func gone() async throws {
        try await withTemporaryDirectory { folder in
            let (report, frames) = try await capture(
                ["500", "durations"], ["V4L2_SHIM_MODES=YUYV:64x48@60", "V4L2_SHIM_VANISH=30"], in: folder)
            #expect(report.error?.code == "lost" && report.error?.text.contains("/dev/video0") == true)
            #expect(report.pictures.last?.time == frames.last { $0.fate == "frame" && $0.sequence < 30 }?.time)
        }
        try await withTemporaryDirectory { folder in
            let (report, _) = try await capture(
                ["500", "silence=300"], ["V4L2_SHIM_MODES=YUYV:64x48@60", "V4L2_SHIM_STALL=30"], in: folder)
            #expect(report.error?.code == "timedOut" && !report.pictures.isEmpty)
        }
    }

    @Test(
        "a camera that cannot be opened is named, with the cure",
        arguments: [
            (["V4L2_SHIM_OPEN=13"], "forbidden", "usermod -aG video"), (["V4L2_SHIM_STREAM=16"], "busy", "fuser"),
            (["V4L2_SHIM_OPEN=2"], "missing", "/dev/video0"),
            (["V4L2_SHIM_MODES=pBAA:64x48@30"], "unsupported", "pBAA"),
        ] as [([String], String, String)])
    func refused(settings: [String], code: String, words: String) async throws {
        try await withTemporaryDirectory { folder in
            let (report, _) = try await capture(["1"], settings, in: folder)
            #expect(report.error?.code == code && report.error?.text.contains(words) == true, "\(report.lines)")
        }
    }

    @Test("cameras are listed with their sizes and rates, and a mode that is not there is refused with those that are")
    func listed() async throws {
        try await withTemporaryDirectory { folder in
            let modes = "V4L2_SHIM_MODES=YUYV:640x480@30,YUYV:640x480@15,MJPG:1280x720@30"
            let preload = try await PretendedCamera.build()
            let report = try await Probe.run(["devices"], [preload, modes, "PULSE_SERVER=unix:/nowhere"])
            #expect(report.lines.contains("device v4l2:/dev/video0 default Pretended camera"))
            #expect(
                report.lines.filter { $0.hasPrefix("mode ") && !$0.hasSuffix("screen") } == [
                    "mode 640x480 at 30 frames/s in YUYV", "mode 640x480 at 15 frames/s in YUYV",
                    "mode 1280x720 at 30 frames/s in MJPG",
                ])
            let refused = try await Probe.run(["pictures", "v4l2:", "1", "size=800x600"], [preload, modes])
            #expect(refused.error?.text.contains("640x480, 1280x720") == true, "\(refused.lines)")
        }
    }
}
