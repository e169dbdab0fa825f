// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import ParameterSets
import Testing

@Suite struct StreamCheckerTests {
    /// One way to spoil a sound stream of 12 frames: sync frames 0 and 6, reordered between them.
    struct Spoiling: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Words of the finding.
        let expects: String
        var framing = StreamFraming.annexB
        let spoil: @Sendable (inout [EncodedFrame]) -> Void

        init(
            _ description: String, expects: String, framing: StreamFraming = .annexB,
            _ spoil: @escaping @Sendable (inout [EncodedFrame]) -> Void
        ) {
            testDescription = description
            self.expects = expects
            self.framing = framing
            self.spoil = spoil
        }
    }

    static let spoilings: [Spoiling] = [
        Spoiling("an event too few", expects: "one event for frame") { $0.removeLast() },
        Spoiling("an event too many", expects: "one event for frame") { $0.append($0[11]) },
        Spoiling("a token lost", expects: "a token given") { $0[3] = $0[3].with(token: nil) },
        Spoiling("a token of another frame", expects: "presentation time") { $0[3] = $0[3].with(token: 0) },
        Spoiling("a time in another timescale", expects: "presentation time") {
            $0[0] = $0[0].with(time: MediaTime(value: 0, timescale: 90_000))
        },
        Spoiling("a duration of another length", expects: "duration") {
            $0[3] = $0[3].with(duration: MediaTime(value: 2, timescale: 30))
        },
        Spoiling("a decode time after the presentation time", expects: "no later than") {
            $0[11] = $0[11].with(decodeTime: MediaTime(value: 100, timescale: 30))
        },
        Spoiling("a decode time twice", expects: "later than") { $0[4] = $0[4].with(decodeTime: $0[3].decodeTime) },
        Spoiling("decode times that jump", expects: "lag by") {
            $0[0] = $0[0].with(decodeTime: MediaTime(value: -9, timescale: 30))
        },
        Spoiling("a frame dropped as failed", expects: "encoded") {
            $0[2] = $0[2].with(outcome: .dropped(.failed(EncoderError(.backendFailure, reason: "no"))))
        },
        Spoiling("a range beyond the data", expects: "one behind the other") {
            $0.change(2) { data, ranges in ranges[0] = ranges[0].lowerBound..<data.count + 1 }
        },
        Spoiling("a range inside the start code", expects: "one behind the other") {
            $0.change(2) { _, ranges in ranges[0] = ranges[0].lowerBound - 1..<ranges[0].upperBound }
        },
        Spoiling("a range too short", expects: "up to byte") {
            $0.change(2) { _, ranges in ranges[0] = ranges[0].lowerBound..<ranges[0].upperBound - 1 }
        },
        Spoiling("a start code that is none", expects: "start codes") { $0.change(2) { data, _ in data[3] = 2 } },
        Spoiling("a start code inside a NAL unit", expects: "where its start codes are") {
            $0.change(2) { data, _ in data.replaceSubrange(10..<13, with: [0, 0, 1]) }
        },
        Spoiling("a wrong length", expects: "length", framing: .lengthPrefixed()) {
            $0.change(2) { data, _ in data[3] += 1 }
        },
        Spoiling("a length of the wrong order", expects: "length", framing: .lengthPrefixed(bytes: 2)) {
            $0.change(2) { data, _ in data.swapAt(0, 1) }
        },
        Spoiling("a NAL unit with the forbidden bit", expects: "legal headers") {
            $0.change(2) { data, ranges in data[ranges[0].lowerBound] |= 0x80 }
        },
        Spoiling("a version SEI", expects: "no version SEI") {
            $0.change(2) { data, ranges in
                let unit = ModelStream.versionSEI(.h264)
                data = AnnexB.join([unit]) + data
                ranges =
                    [4..<4 + unit.count]
                    + ranges.map { $0.lowerBound + 4 + unit.count..<$0.upperBound + 4 + unit.count }
            }
        },
        Spoiling("two frames with each other's times", expects: "decoders show after") { frames in
            let (first, second) = (frames[2], frames[3])
            frames[2] = second.with(outcome: first.outcome)
            frames[3] = first.with(outcome: second.outcome)
        },
        Spoiling("a sync frame not marked", expects: "sync exactly if") { $0[0] = $0[0].with { $0.isSync = false } },
        Spoiling("another frame marked sync", expects: "sync exactly if") { $0[2] = $0[2].with { $0.isSync = true } },
        Spoiling("a partial sync with closed GOP", expects: "no partial sync") {
            $0[2] = $0[2].with { $0.isPartialSync = true }
        },
        Spoiling("a sync frame that depends on others", expects: "not to depend") {
            $0[0] = $0[0].with { $0.pictureType = .p }
        },
        Spoiling("a reference said to be none", expects: "isDependedOnByOthers") {
            $0[0] = $0[0].with { $0.isDependedOnByOthers = false }
        },
        Spoiling("a frame shown before the sync frame it follows", expects: "to be shown after it") {
            // The event that precedes sync frame 6 changes places with it.
            let index = $0.firstIndex { $0.token as? Int == 6 } ?? 0
            $0.swapAt(index, index - 1)
        },
        Spoiling("a first frame that is no sync frame", expects: "first frame to be") { $0.swapAt(0, 1) },
        Spoiling("parameter sets missing in a sync frame", expects: "parameter sets in") {
            $0.change(0) { data, ranges in
                data = AnnexB.join([data[ranges[2]]])
                ranges = [4..<data.count]
            }
        },
        Spoiling("parameter sets in another frame", expects: "parameter sets in") { frames in
            guard let unit = frames[0].accessUnit else { return }
            frames.change(2) { data, ranges in
                let sets = Array(unit.data[..<unit.nalUnits[1].upperBound])
                ranges = unit.nalUnits[..<2] + ranges.map { $0.lowerBound + sets.count..<$0.upperBound + sets.count }
                data = sets + data
            }
        },
    ]

    @Test(
        "a sound stream has no findings",
        arguments: [StreamFraming.annexB, .lengthPrefixed(), .lengthPrefixed(bytes: 2)])
    func sound(framing: StreamFraming) async throws {
        let (checker, frames) = try await stream(framing)
        #expect(checker.check(frames) == [])
        #expect(frames.contains { $0.accessUnit?.pictureType == .b })
    }

    @Test("a spoilt stream has a finding", arguments: spoilings)
    func spoilt(spoiling: Spoiling) async throws {
        var (checker, frames) = try await stream(spoiling.framing)
        spoiling.spoil(&frames)
        let findings = checker.check(frames)
        #expect(findings.contains { $0.expected.contains(spoiling.expects) })
    }

    /// Twelve frames in two groups of six.
    private func stream(_ framing: StreamFraming) async throws -> (StreamChecker, [EncodedFrame]) {
        var configuration = SessionConfiguration(codec: .h264, width: 128, height: 96)
        configuration.live.maxKeyFrameInterval = 6
        configuration.framing = framing
        configuration.parameterSets = .everySyncFrame
        let given = GivenFrame.series(12)
        let session = try CompressionSession(configuration, encoder: ModelBackend(shelf: PictureShelf()))
        let video = SyntheticVideo(width: 128, height: 96)
        for (index, frame) in given.enumerated() {
            try await session.encode(
                try video.picture(at: index), at: frame.time, duration: frame.duration,
                options: FrameOptions(token: index))
        }
        try await session.finish()
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return (StreamChecker(configuration: configuration, given: given), frames)
    }
}

// MARK: - Spoiling

/// The properties of an access unit that tests change.
struct EditableUnit {
    var data: [UInt8]
    var nalUnits: [Range<Int>]
    var pictureType: AccessUnit.PictureType
    var isSync: Bool
    var isPartialSync: Bool
    var isDependedOnByOthers: Bool
}

extension EncodedFrame {
    func with(
        outcome: Outcome? = nil, time: MediaTime? = nil, decodeTime: MediaTime? = nil, duration: MediaTime? = nil,
        token: (any Sendable)?
    ) -> EncodedFrame {
        EncodedFrame(
            outcome: outcome ?? self.outcome, presentationTime: time ?? presentationTime,
            decodeTime: decodeTime ?? self.decodeTime, duration: duration ?? self.duration, token: token)
    }

    func with(
        outcome: Outcome? = nil, time: MediaTime? = nil, decodeTime: MediaTime? = nil, duration: MediaTime? = nil
    ) -> EncodedFrame {
        with(outcome: outcome, time: time, decodeTime: decodeTime, duration: duration, token: token)
    }

    func with(_ change: (inout EditableUnit) -> Void) -> EncodedFrame {
        guard let unit = accessUnit else { return self }
        return with(outcome: .encoded(unit.with(change)))
    }
}

extension AccessUnit {
    func with(_ change: (inout EditableUnit) -> Void) -> AccessUnit {
        var edited = EditableUnit(
            data: data, nalUnits: nalUnits, pictureType: pictureType, isSync: isSync, isPartialSync: isPartialSync,
            isDependedOnByOthers: isDependedOnByOthers)
        change(&edited)
        return AccessUnit(
            data: edited.data, nalUnits: edited.nalUnits, format: format, pictureType: edited.pictureType,
            isSync: edited.isSync, isPartialSync: edited.isPartialSync,
            isDependedOnByOthers: edited.isDependedOnByOthers)
    }
}

extension [EncodedFrame] {
    mutating func change(_ index: Int, _ edit: (inout [UInt8], inout [Range<Int>]) -> Void) {
        self[index] = self[index].with { edit(&$0.data, &$0.nalUnits) }
    }
}
