// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X264Backend

/// Gives what is encoded to a C-style callback with a context pointer that nobody retains.
final class RefconEncoder {
    typealias Callback = @Sendable (_ refcon: UnsafeMutableRawPointer?, _ frame: EncodedFrame) -> Void

    private let session: CompressionSession

    init(
        width: Int, height: Int, bitRate: Int, keyFrameInterval: Int, refcon: UnsafeMutableRawPointer?,
        callback: @escaping Callback
    ) throws {
        var configuration = SessionConfiguration(codec: .h264, width: width, height: height, pixelFormat: .nv12)
        configuration.realTime = true
        configuration.preset = "ultrafast"
        configuration.profileLevel = ProfileLevel(profile: .h264High)
        configuration.live.averageBitRate = bitRate
        configuration.live.expectedFrameRate = 30
        configuration.live.maxKeyFrameInterval = keyFrameInterval
        session = try CompressionSession(configuration, encoder: X264Backend(), logger: .silent)
        // Unretained, as with VideoToolbox: the owner calls stop() before it goes.
        nonisolated(unsafe) let refcon = refcon
        try session.deliver { frame in callback(refcon, frame) }
        try session.synchronous.prepare()
    }

    func encode(_ picture: PixelBuffer, at time: MediaTime) throws {
        try session.synchronous.encode(picture, at: time)
    }

    func stop() throws {
        try session.synchronous.complete()
        session.invalidate()
    }
}
