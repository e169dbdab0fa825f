// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures
import Synchronization

/// A long session in parts, each after a change: what an encoder does once it may stop doing later.
struct Life: Sendable {
    /// What happens before the first frame of a part.
    enum Change: Sendable {
        case none
        /// An update, which the encoder may follow or decline.
        case settings(@Sendable (inout LiveSettings) -> Void)
        /// Pictures of another size or color, and with them another encoder.
        case pictures(width: Int, height: Int, color: ColorDescription? = nil)
        /// All frames come out; some encoders are closed by it.
        case completion
    }

    /// The frames between two changes.
    struct Part: Sendable {
        let label: String
        let change: Change
        let count: Int
        /// The frames of this part that must be key frames, counted from 0.
        let forced: Set<Int>
        /// Seconds in which no frame is given, before the first.
        let pause: Int

        init(_ label: String, _ change: Change = .none, count: Int = 20, forced: Set<Int> = [], pause: Int = 0) {
            self.pause = pause
            self.label = label
            self.change = change
            self.count = count
            self.forced = forced
        }
    }

    var configuration: SessionConfiguration
    var content = SyntheticVideo.Content.calm
    let parts: [Part]

    /// The frames of each part.
    var ranges: [Range<Int>] {
        var start = 0
        return parts.map { part in
            defer { start += part.count }
            return start..<start + part.count
        }
    }

    /// The size of the pictures of each part.
    var sizes: [(width: Int, height: Int)] {
        var size = (width: configuration.width, height: configuration.height)
        return parts.map { part in
            if case .pictures(let width, let height, _) = part.change { size = (width, height) }
            return size
        }
    }

    /// One that changes nothing by itself: key frames come where they are asked for.
    static func configuration(_ context: ScenarioContext, _ effort: ScenarioContext.Effort) -> SessionConfiguration {
        var configuration = context.configuration(effort)
        if context.has(.maxKeyFrameInterval) { configuration.live.maxKeyFrameInterval = 100_000 }
        if context.has(.constantQuantizer) { configuration.live.rateControl = .constantQuantizer(26) }
        return configuration
    }
}

/// A ``Life`` that was lived.
struct LivedLife: Sendable {
    let life: Life
    let run: SessionRun
    /// What the change before each part came to; nil where nothing answers.
    let outcomes: [UpdateOutcome?]

    /// What came out of the frames of one part, in decode order.
    func frames(of part: Int) -> [EncodedFrame] { frames(of: part..<part + 1) }

    /// What came out of the frames of parts that follow each other, in decode order.
    func frames(of parts: Range<Int>) -> [EncodedFrame] {
        let range = life.ranges[parts.lowerBound].lowerBound..<life.ranges[parts.upperBound - 1].upperBound
        return run.frames.filter { ($0.token as? Int).map(range.contains) ?? false }
    }

    /// Whether the first frame of a part must be a key frame.
    func mustStart(_ part: Int) -> Bool {
        if case .pictures = life.parts[part].change { return true }
        if case .restarted? = outcomes[part] { return true }
        return part == 0
    }

    /// Whether the first frame of a part may be a key frame.
    func mayStart(_ part: Int) -> Bool {
        if case .completion = life.parts[part].change { return true }
        return mustStart(part)
    }
}

extension ScenarioContext {
    /// Lives a life from its first frame to its last, and checks the stream as every stream is checked.
    ///
    /// - Throws: What the session throws.
    func live(_ life: Life, _ label: String, _ findings: inout Findings) async throws -> LivedLife {
        let ranges = life.ranges
        let sizes = life.sizes
        let starts = Dictionary(uniqueKeysWithValues: zip(ranges.map(\.lowerBound), life.parts.indices))
        let forced = zip(life.parts, ranges).flatMap { part, range in part.forced.map { range.lowerBound + $0 } }
        var frames = GivenFrame.series(ranges.last?.upperBound ?? 0, forced: Set(forced))
        var pause = MediaTime.zero
        for ((part, size), range) in zip(zip(life.parts, sizes), ranges) {
            pause = pause + MediaTime(value: Int64(part.pause), timescale: 1)
            for index in range {
                (frames[index].width, frames[index].height) = size
                frames[index].time = frames[index].time + pause
            }
        }
        let given = frames
        let videos = sizes.map { life.video($0.width, $0.height) }
        let outcomes = Mutex([UpdateOutcome?](repeating: nil, count: life.parts.count))
        let run = try await run(
            life.configuration, given,
            picture: { index throws(EncoderError) in
                let part = ranges.firstIndex { $0.contains(index) } ?? 0
                return try videos[part].picture(at: index)
            },
            before: { index, session in
                guard let part = starts[index] else { return }
                let outcome: UpdateOutcome?
                switch life.parts[part].change {
                case .none: outcome = nil
                case .settings(let change): outcome = try await session.update(change)
                case .pictures(let width, let height, let color):
                    outcome = try await session.changePictures(width: width, height: height, color: color)
                case .completion:
                    try await session.complete()
                    outcome = nil
                }
                outcomes.withLock { $0[part] = outcome }
            })
        findings.add(run.check(findings.scenario), in: label)
        return LivedLife(life: life, run: run, outcomes: outcomes.withLock { $0 })
    }
}

extension Life {
    /// The video of the pictures of one size.
    func video(_ width: Int?, _ height: Int?) -> SyntheticVideo {
        SyntheticVideo(
            format: configuration.pixelFormat, width: width ?? configuration.width,
            height: height ?? configuration.height, content: content)
    }
}
