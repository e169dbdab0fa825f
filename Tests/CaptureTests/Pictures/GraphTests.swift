// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import Synchronization
import TestSupport
import Testing

/// Sources of libavfilter, whose pictures FFmpeg's own program makes too.
@Suite struct GraphTests {
    private static let fast: CaptureOptions = {
        var options = CaptureOptions()
        options.isPaced = false
        options.knowsDurations = true
        return options
    }()

    private func pictures(
        _ graph: String, _ options: CaptureOptions = fast, most: Int = 1000
    ) throws -> (capture: PictureCapture, pictures: [CapturedPicture]) {
        let capture = try PictureCapture(try CaptureSource("lavfi:\(graph)"), options)
        var pictures: [CapturedPicture] = []
        while pictures.count < most, let picture = try capture.next() { pictures.append(picture) }
        capture.stop()
        return (capture, pictures)
    }

    private func bytes(_ picture: PixelBuffer) -> [UInt8] {
        (0..<picture.format.planeCount).flatMap { plane in
            picture.withPlane(plane) { bytes, bytesPerRow in
                let width = picture.format.rowBytes(plane: plane, width: picture.width)
                return (0..<picture.format.rows(plane: plane, height: picture.height)).flatMap { row in
                    Array(bytes[row * bytesPerRow..<row * bytesPerRow + width])
                }
            }
        }
    }

    @Test(
        "pictures that sessions take are the graph's, byte for byte", .requiresProgram(.ffmpeg),
        arguments: [("yuv420p", PixelFormat.i420), ("nv12", .nv12), ("yuv420p10le", .i010)])
    func exact(name: String, format: PixelFormat) async throws {
        let graph = "testsrc2=size=162x90:rate=25,trim=end_frame=5,format=\(name)"
        let (capture, pictures) = try pictures(graph)
        let reference = try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-f", "lavfi", "-i", graph, "-f", "rawvideo", "-pix_fmt", name, "-"])
        #expect(capture.format.pixelFormat == format && capture.format.rate == 25)
        #expect(pictures.count == 5)
        #expect(pictures.flatMap { bytes($0.picture) } == reference.standardOutput)
    }

    @Test(
        "other pictures are converted to what FFmpeg makes of them, to within rounding", .requiresProgram(.ffmpeg),
        arguments: ["bgr0", "rgb0", "0rgb", "rgb24", "yuyv422", "uyvy422", "yuv422p", "yuvj422p", "yuv444p"])
    func converted(name: String) async throws {
        // Smooth, so that how chroma is subsampled makes little of a difference.
        let graph =
            "gradients=size=160x96:rate=25:c0=0x204060:c1=0xe0b080:nb_colors=2:x0=0:y0=0:x1=159:y1=95,trim=end_frame=2,format=\(name)"
        let (capture, pictures) = try pictures(graph)
        let conversion = "scale=in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,format=yuv420p"
        let reference = try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-f", "lavfi", "-i", graph, "-vf", conversion, "-f", "rawvideo", "-"])
        let made = pictures.flatMap { bytes($0.picture) }
        #expect(capture.format.pixelFormat == .i420 && made.count == reference.standardOutput.count)
        let differences = zip(made, reference.standardOutput).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(max(differences.count, 1))
        #expect(mean < 1.0 && (differences.max() ?? 255) <= 16, "\(name): mean \(mean), most \(differences.max() ?? 0)")
    }

    @Test("times are the graph's, frames that it leaves out are counted, and durations reach over the gaps")
    func gaps() throws {
        let (capture, pictures) = try pictures(
            "testsrc2=size=64x48:rate=30,trim=end_frame=40,select='not(eq(mod(n\\,10)\\,5))'")
        // The frames 5, 15, 25 and 35 are left out.
        let wanted = (0..<40).filter { $0 % 10 != 5 }
        let first = try #require(pictures.first).time.value
        let slots = pictures.map { (Double($0.time.value - first) * 30 / 1_000_000).rounded() }
        #expect(slots == wanted.map(Double.init))
        for (index, picture) in pictures.enumerated() {
            let next = index + 1 < pictures.count ? pictures[index + 1].time - picture.time : nil
            #expect(picture.duration == next)
        }
        #expect(capture.statistics.lost == 4 && capture.statistics.given == 36)
        #expect(capture.statistics.surplus == 0 && capture.statistics.damaged == 0)
    }

    @Test("a graph's frames come when their times have come, on the monotonic clock")
    func paced() throws {
        let start = ContinuousClock.now
        let before = StampClock.Reading.now.monotonic
        var options = CaptureOptions()
        options.origin = CaptureOrigin()
        let (_, pictures) = try pictures("testsrc2=size=64x48:rate=20", options, most: 11)
        #expect(ContinuousClock.now - start >= .milliseconds(500))
        let times = pictures.map(\.time.value)
        #expect((times.first ?? 0) >= before && (times.last ?? .max) <= StampClock.Reading.now.monotonic)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 50_000 })
        #expect(pictures.allSatisfy { $0.duration == nil })
    }

    @Test("dark frames are left out until the luma is steady, and the first is like the tenth")
    func dark() throws {
        var options = Self.fast
        options.darkFrames = .untilSteady
        let (capture, pictures) = try pictures(
            "color=gray:size=64x48:rate=30,fade=in:5:25,trim=end_frame=80", options)
        let means = pictures.map { picture in
            picture.picture.withPlane(0) { bytes, _ in Double(bytes[0]) }
        }
        let (first, tenth) = (try #require(means.first), means[9])
        #expect(abs(first - tenth) <= 5 && first > 100, "\(first) \(tenth)")
        #expect(capture.statistics.dark + pictures.count == 80 && !capture.statistics.isNeverSteady)
        #expect(capture.statistics.dark >= 20)
    }

    @Test("pictures are filled from the pool that is given, of another format too")
    func pool() throws {
        let capture = try PictureCapture(try CaptureSource("lavfi:testsrc2=size=64x48:rate=30"), Self.fast)
        defer { capture.stop() }
        let memory = try PixelBufferPool(format: .nv12, width: 64, height: 48)
        let made = Mutex(0)
        let pool = try PixelBufferPool(format: .nv12, width: 64, height: 48) { () throws(EncoderError) in
            made.withLock { $0 += 1 }
            return try memory.makeMutablePixelBuffer()
        }
        capture.fill(pool)
        for given in 1...8 {
            #expect(try capture.next()?.picture.format == .nv12)
            #expect(made.withLock { $0 } >= given)
        }
    }

    @Test(
        "a graph that is none, or gives no pictures or none that sessions can be given, is refused with its words",
        arguments: [
            ("nosuch", CaptureError.Code.invalidValue, "No such filter: 'nosuch'"),
            ("sine", .unsupported, "no pictures"),
            ("color=red,format=gray", .unsupported, "gray"), ("scale", .invalidValue, "inputs"),
        ])
    func refused(graph: String, code: CaptureError.Code, words: String) throws {
        let source = try CaptureSource("lavfi:\(graph)")
        let error = #expect(throws: CaptureError.self) { try PictureCapture(source, Self.fast) }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.source == source.description)
    }

    @Test("a capture that is stopped, or let go of, ends its thread and whoever waits")
    func stopped() async throws {
        let capture = try PictureCapture(try CaptureSource("lavfi:testsrc2=size=64x48:rate=1"))
        _ = try capture.next()
        let start = ContinuousClock.now
        async let waiting = Task.detached { try capture.next() }.value
        capture.stop()
        #expect(try await waiting == nil)
        #expect(ContinuousClock.now - start < .seconds(Patience.seconds))
        #expect(try capture.next() == nil)
    }

    @Test("a graph whose sound nobody wanted for long was not silent")
    func lateSound() async throws {
        var options = CaptureOptions()
        options.longestSilence = .seconds(1)
        let capture = try SoundCapture(try CaptureSource("lavfi:sine"), options)
        let opened = ContinuousClock.now
        #expect(await eventually { .now - opened > options.longestSilence })
        _ = try capture.poll()
        #expect(try capture.next() != nil)
        capture.stop()
    }

    @Test("sound of a graph has its samples and times")
    func sound() throws {
        var options = CaptureOptions()
        options.isPaced = false
        let capture = try SoundCapture(
            try CaptureSource("lavfi:sine=frequency=1000:sample_rate=48000:duration=0.5"), options)
        var (count, blocks) = (0, [CapturedSound]())
        while let sound = try capture.next() {
            // Each piece begins where the one before ends.
            let expected = Double(count) / 48_000
            #expect(abs((sound.time - (blocks.first?.time ?? sound.time)).seconds - expected) < 0.000_002)
            blocks.append(sound)
            count += sound.frameCount
        }
        #expect(count == 24_000 && blocks.allSatisfy { $0.sampleRate == 48_000 && $0.channelCount == 1 })
        let crossings = zip(blocks.flatMap(\.samples).dropFirst(), blocks.flatMap(\.samples)).filter {
            $0 >= 0 && $1 < 0
        }
        #expect(abs(crossings.count - 500) <= 1)
        let error = #expect(throws: CaptureError.self) { try SoundCapture(CaptureSource("x11::0")) }
        #expect(error?.code == .unsupported)
    }

    @Test("options out of their range are refused with it")
    func options() throws {
        let source = try CaptureSource("x11::0")
        func refused(_ source: CaptureSource, _ set: (inout CaptureOptions) -> Void) {
            var options = CaptureOptions()
            set(&options)
            let error = #expect(throws: CaptureError.self) { try options.check(source) }
            #expect(error?.code == .invalidValue && error?.reason.contains("expected") == true)
        }
        refused(source) { $0.size = (0, 10) }
        refused(source) { $0.size = (10, 65_536) }
        refused(source) { $0.frameRate = 0 }
        refused(source) { $0.frameRate = FrameRate(numerator: 30, denominator: 0) }
        refused(source) { $0.frameRate = 1001 }
        refused(source) { $0.longestSilence = .zero }
        refused(source) { $0.darkFrames = .frames(0) }
        refused(try CaptureSource("lavfi:testsrc2")) { $0.frameRate = 30 }
    }
}
