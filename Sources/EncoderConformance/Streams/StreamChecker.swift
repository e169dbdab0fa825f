// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Checks what a session gave out against what it was given: events, times, NAL units, flags and formats.
///
/// It knows no encoder and decodes nothing, so it applies to every session; scenarios use it on each stream they make.
public struct StreamChecker: Sendable {
    /// What the session was made with.
    public let configuration: SessionConfiguration
    /// What it was given, in order.
    public let given: [GivenFrame]
    /// The name its findings carry.
    public let scenario: String
    /// Whether frames may be dropped as failed.
    public let allowsFailures: Bool

    /// Makes a checker for one session.
    ///
    /// - Parameters:
    ///   - configuration: What the session was made with.
    ///   - given: What it was given; each frame's token is its index here.
    ///   - scenario: The name its findings carry.
    ///   - allowsFailures: Whether frames may be dropped as failed; drops by rate control always may be.
    public init(
        configuration: SessionConfiguration, given: [GivenFrame], scenario: String = "stream",
        allowsFailures: Bool = false
    ) {
        self.configuration = configuration
        self.given = given
        self.scenario = scenario
        self.allowsFailures = allowsFailures
    }

    /// Checks everything that came out of a session that was finished.
    ///
    /// - Parameter frames: In the order in which they came.
    /// - Returns: What is wrong; empty for a sound stream.
    public func check(_ frames: [EncodedFrame]) -> [Finding] {
        var findings = Findings(scenario: scenario)
        checkEvents(frames, &findings)
        checkDecodeTimes(frames, &findings)
        for frame in frames {
            guard let unit = frame.accessUnit else { continue }
            checkUnits(unit, name(of: frame), &findings)
            checkFlags(unit, name(of: frame), &findings)
        }
        checkOrder(frames, &findings)
        checkIDRPicIDs(frames, &findings)
        checkSlices(frames, &findings)
        checkFormats(frames, &findings)
        return findings.all
    }

    /// How messages call a frame.
    func name(of frame: EncodedFrame) -> String {
        (frame.token as? Int).map { "frame \($0)" } ?? "the frame at \(frame.presentationTime)"
    }
}

// MARK: - Events and times

extension StreamChecker {
    /// Exactly one event for each frame, with everything the caller gave.
    private func checkEvents(_ frames: [EncodedFrame], _ findings: inout Findings) {
        var counts = [Int](repeating: 0, count: given.count)
        for frame in frames {
            guard let index = frame.token as? Int, given.indices.contains(index) else {
                findings.note("a token given with a frame", seen: String(describing: frame.token))
                continue
            }
            counts[index] += 1
            let was = given[index]
            findings.expect(
                frame.presentationTime.isIdentical(to: was.time), "presentation time \(was.time) of frame \(index)",
                seen: "\(frame.presentationTime)")
            let isSameDuration =
                switch (frame.duration, was.duration) {
                case (nil, nil): true
                case (let left?, let right?): left.isIdentical(to: right)
                default: false
                }
            findings.expect(
                isSameDuration, "duration \(String(describing: was.duration)) of frame \(index)",
                seen: "\(String(describing: frame.duration))")
        }
        for frame in frames where !allowsFailures {
            if case .failed(let error)? = frame.dropReason {
                findings.note("\(name(of: frame)) encoded", seen: "a failure: \(error)")
            }
        }
        for (index, count) in counts.enumerated() where count != 1 {
            findings.note("one event for frame \(index)", seen: "\(count)")
        }
    }

    /// Decode times of coded frames increase, never pass a presentation time, and keep their distance where frames are
    /// equally long.
    private func checkDecodeTimes(_ events: [EncodedFrame], _ findings: inout Findings) {
        let frames = events.filter { $0.accessUnit != nil }
        var last: MediaTime?
        for frame in frames {
            findings.expect(
                frame.decodeTime <= frame.presentationTime,
                "a decode time of \(name(of: frame)) no later than its presentation time \(frame.presentationTime)",
                seen: "\(frame.decodeTime)")
            if let last {
                findings.expect(
                    frame.decodeTime > last, "a decode time of \(name(of: frame)) later than \(last)",
                    seen: "\(frame.decodeTime)")
            }
            last = frame.decodeTime
        }
        guard isEvenlySpaced, frames.count == given.count, let first = frames.first else { return }
        let offset = given[0].time - first.decodeTime
        for (frame, shown) in zip(frames, given) where shown.time - frame.decodeTime != offset {
            findings.note(
                "decode times to lag by \(offset) throughout",
                seen: "\(shown.time - frame.decodeTime) at \(name(of: frame))")
        }
    }

    private var isEvenlySpaced: Bool {
        guard given.count > 1 else { return true }
        let step = given[1].time - given[0].time
        return zip(given, given.dropFirst()).allSatisfy { $1.time - $0.time == step }
    }
}

extension MediaTime {
    /// Whether both have the same value and timescale; `==` also holds for 1/2 and 15/30.
    func isIdentical(to other: MediaTime) -> Bool {
        value == other.value && timescale == other.timescale
    }
}
