// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import WebSocketPublishing
    import X264Backend

    /// H.264 of 720p in real time, 4.5 Mbit/s and no second above 750,000 bytes, with a key frame and its parameter
    /// sets each second.
    ///
    /// - Parameters:
    ///   - camera: Pictures with the times at which they were captured, at their pace.
    ///   - size: Of the pictures.
    ///   - rotation: How players turn them, where the camera lies on its side.
    ///   - outputs: Servers of WebSocket, and files beside them.
    ///   - isReady: Waits until all outputs take frames.
    /// - Returns: What each output has done.
    /// - Throws: What the session or the broadcast refuse.
    func sendLive(
        _ camera: AsyncThrowingStream<(PixelBuffer, MediaTime), any Error>,
        of size: (width: Int, height: Int) = (1280, 720), turnedBy rotation: DisplayRotation = .none,
        to outputs: [Output], when isReady: (Broadcast) async -> Void
    ) async throws -> [OutputStatistics] {
        var configuration = SessionConfiguration(codec: .h264, width: size.width, height: size.height)
        configuration.realTime = true
        configuration.allowFrameReordering = false
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        configuration.live.averageBitRate = 4_500_000
        configuration.live.dataRateLimits = [DataRateLimit(bytes: 750_000, seconds: 1)]
        configuration.live.expectedFrameRate = 30
        configuration.live.maxKeyFrameInterval = 30
        configuration.preset = "superfast"
        let session = try CompressionSession(configuration, encoder: X264Backend())
        let broadcast = try Broadcast(tracks: [.video], outputs: outputs) { try? session.requestKeyFrame() }
        await isReady(broadcast)
        async let pictures: Void = {
            do {
                for try await (picture, time) in camera { try await session.encode(picture, at: time) }
                try await session.finish()
            } catch {
                // Frames would be waited for without an end.
                session.invalidate()
                throw error
            }
        }()
        for try await frame in session.encodedFrames {
            if let packet = MediaPacket(frame) { try await broadcast.send(try packet.turned(rotation)) }
        }
        try await pictures
        await broadcast.finish()
        return broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes what a publisher sends into transport streams of three seconds each, which begin with a key frame.
    ///
    /// - Parameters:
    ///   - stream: The publisher's packets, with their times.
    ///   - folder: Where to.
    func recordSegments(_ stream: PublishedStream, in folder: String) async {
        do {
            let segments = SegmentFolder(path: folder, kind: .transportStream, seconds: 3)
            let broadcast = try Broadcast(tracks: [.video], outputs: [.segments(segments)])
            for try await packet in stream where packet.track == .video { try await broadcast.send(packet) }
            await broadcast.finish()
        } catch {
            print("a publisher: \(error)")
        }
    }
#endif
