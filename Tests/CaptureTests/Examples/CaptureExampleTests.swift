// SPDX-License-Identifier: MIT

import Capture
import EncoderAPI
import TestSupport
import Testing
import X264Backend

/// The documentation's first example.
@Suite struct CaptureExampleTests {
    @Test("a source's pictures become frames of a session, at their times")
    func intoASession() async throws {
        let source = try CaptureSource("lavfi:testsrc2=size=64x48:rate=30,trim=end_frame=6,format=bgr0")
        let capture = try PictureCapture(source)
        let format = capture.format
        var configuration = SessionConfiguration(
            codec: .h264, width: format.width, height: format.height, pixelFormat: format.pixelFormat)
        configuration.color = format.color
        configuration.realTime = true
        let session = try CompressionSession(configuration, encoder: X264Backend())
        capture.fill(session.pixelBufferPool)
        async let given = onThread {
            var times: [MediaTime] = []
            while let picture = try capture.next() {
                try session.synchronous.encode(picture.picture, at: picture.time)
                times.append(picture.time)
            }
            try session.synchronous.finish()
            return times
        }
        var shown: [MediaTime] = []
        for try await frame in session.encodedFrames { shown.append(frame.presentationTime) }
        #expect(try await given == shown.sorted() && shown.count == 6)
    }
}
