// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Data-rate limits behind what happens late in a stream: changes of other settings, of themselves, and of times.
@Suite(.timeLimit(.minutes(2))) struct LateLimitTests {
    private static let size = (width: 112, height: 96)
    private static let rate = 30
    private static let average = 80_000
    private static let short = DataRateLimit(bytes: average / 8 / 2, seconds: 0.3)
    private static let long = DataRateLimit(bytes: average / 8 * 3 / 2, seconds: 1)
    private static let wide = DataRateLimit(bytes: average / 8 * 2, seconds: 1)

    /// What happens in a stream, and which limits are in force from which frame on.
    enum Event: CaseIterable {
        /// The average changes twice within a second, up and down.
        case averageTwice
        /// Pictures of another size come.
        case size
        /// Limits come with the fourth change of live settings.
        case fourthUpdate
        /// All frames are completed, and more come.
        case completed
        /// A picture of another size is refused, and more come.
        case refused
        /// Limits come late, go, and come again.
        case again
        /// One of two limits changes.
        case oneOfTwo
        /// Each frame of two seconds is a key frame.
        case keyFrames
        /// Twice as many frames come in a second.
        case doubleRate

        var limits: [(from: Int, limits: [DataRateLimit])] {
            switch self {
            case .fourthUpdate: [(0, []), (80, [long])]
            case .again: [(0, []), (40, [long]), (80, []), (110, [long])]
            case .oneOfTwo: [(0, [short, long]), (75, [short, wide])]
            default: [(0, [long])]
            }
        }

        /// Frames of 30 in a second.
        func time(of frame: Int) -> MediaTime {
            let ticks = self == .doubleRate && frame > 75 ? 150 + (frame - 75) : 2 * frame
            return MediaTime(value: Int64(ticks), timescale: 60)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let codec: VideoCodec
        let event: Event
        let control: RateControl
        let isRealTime: Bool

        var testDescription: String { "\(codec), \(event), \(control)\(isRealTime ? ", real time" : "")" }
        /// Both libraries with each event, and each way of control.
        var labels: [String] { ["\(codec), \(event)", "\(codec), \(control), \(isRealTime)"] }
    }

    static let rows = VideoCodec.allCases.flatMap { codec in
        Event.allCases.flatMap { event in
            [RateControl.averageBitRate(average), .constantRateFactor(20)].flatMap { control in
                [false, true].map { Row(codec: codec, event: event, control: control, isRealTime: $0) }
            }
        }
    }

    private static let count = 150

    @Test(
        "no window of frames given under a limit is above it, each frame is told of, and what leaves can be decoded",
        arguments: Sample.of(rows, thorough: 36, labels: { $0.labels }))
    func sampledHolds(row: Row) async throws {
        var configuration = SessionConfiguration(codec: row.codec, width: Self.size.width, height: Self.size.height)
        configuration.live = LiveSettings(
            rateControl: row.control, dataRateLimits: row.event.limits[0].limits, expectedFrameRate: FrameRate(30))
        configuration.preset = row.codec == .h264 ? "veryfast" : "ultrafast"
        configuration.realTime = row.isRealTime
        let backend: any ImmediateBackend = row.codec == .h264 ? X264Backend() : X265Backend()
        let session = try CompressionSession(configuration, encoder: backend)
        async let collected = session.collected()
        var size = Self.size
        for frame in 0..<Self.count {
            try await happen(row, frame, session, &size)
            // A cut every 25 pictures.
            let contents: [SyntheticVideo.Content] = [.calm, .busy, .flat]
            let video = SyntheticVideo(width: size.width, height: size.height, content: contents[frame / 25 % 3])
            let isForced = row.event == .keyFrames && (60..<120).contains(frame)
            try await session.encode(
                try video.picture(at: frame), at: row.event.time(of: frame),
                options: FrameOptions(forceKeyFrame: isForced, token: frame))
        }
        try await session.finish()
        let frames = try await collected
        try await check(frames, of: row)
    }

    /// Does what the row's event asks before a frame.
    private func happen(
        _ row: Row, _ frame: Int, _ session: CompressionSession, _ size: inout (width: Int, height: Int)
    ) async throws {
        if frame > 0, let limits = row.event.limits.first(where: { $0.from == frame })?.limits {
            try await session.update { $0.dataRateLimits = limits }
        }
        switch (row.event, frame) {
        case (.averageTwice, 70), (.averageTwice, 85):
            let isUp = frame == 70
            try await session.update {
                if $0.averageBitRate != nil {
                    $0.averageBitRate = isUp ? Self.average * 3 / 2 : Self.average / 2
                } else {
                    $0.constantRateFactor = isUp ? 16 : 24
                }
            }
        case (.size, 70):
            size = (64, 80)
            try await session.changePictures(width: size.width, height: size.height)
        case (.fourthUpdate, 20), (.fourthUpdate, 40), (.fourthUpdate, 60):
            try await session.update {
                $0.maxKeyFrameInterval = 100 - frame
                if $0.averageBitRate != nil { $0.averageBitRate = Self.average + 1000 * frame }
            }
        case (.completed, 50), (.completed, 90): try await session.complete()
        case (.refused, 70):
            let picture = try SyntheticVideo(width: 64, height: 64, content: .calm).picture(at: 0)
            await #expect(throws: EncoderError.self) {
                try await session.encode(picture, at: MediaTime(value: 2 * 70 - 1, timescale: 60))
            }
        default: break
        }
    }

    private func check(_ frames: [EncodedFrame], of row: Row) async throws {
        let tokens = frames.compactMap { $0.token as? Int }
        #expect(tokens.sorted() == Array(0..<Self.count))
        let ends = row.event.limits.dropFirst().map(\.from) + [Self.count]
        // A limit that stays when others change goes on.
        for limit in Set(row.event.limits.flatMap(\.limits)) {
            var given: [Range<Int>] = []
            for (period, end) in zip(row.event.limits, ends) where period.limits.contains(limit) {
                if let last = given.last, last.upperBound == period.from {
                    given[given.count - 1] = last.lowerBound..<end
                } else {
                    given.append(period.from..<end)
                }
            }
            for range in given {
                let counted = frames.filter { ($0.token as? Int).map(range.contains) ?? false }
                let most = counted.mostBytes(inWindowsOf: limit.seconds)
                #expect(most <= limit.bytes, "\(limit), frames \(range)")
            }
        }
        let dropped = frames.count { $0.accessUnit == nil }
        #expect(dropped <= (row.event == .keyFrames && !row.isRealTime ? 1 : 0), "\(dropped) dropped")
        let pictures = try await FFmpegDecoder().decode(EncodedStream(codec: row.codec, frames: frames))
        #expect(pictures.count == Self.count - dropped)
    }
}
