// SPDX-License-Identifier: MIT

import EncoderAPI

/// Compares what came out of a session with what its model says.
struct Judge {
    let model: SessionModel
    let isLoose: Bool
    let frames: [Operation.Frame]
    let taken: Set<Int>
    let subject: Subject
    let isOutputShared: Bool
    /// Whether events that had not been delivered may be missing.
    let isCutShort: Bool
    /// Whether another encoder may have been opened for the frame rate that the times show, which is not predicted.
    let followsPace: Bool
    /// Calls that were told that parameter sets may change.
    let toldChanges: Int
    var complaints: [String]

    mutating func complain(_ complaint: String) { complaints.append(complaint) }

    /// What is wrong, with the error that ended the reading, nil for an ordinary end.
    mutating func judge(_ output: [EncodedFrame], end: EncoderError.Code?) async -> [String] {
        checkEach(output)
        checkTimes(output)
        checkFormat(output)
        checkOnce(output, end)
        if !isLoose { checkEnd(end) }
        if !isLoose { checkColors(output) }
        if !isLoose, !followsPace, subject.isPredicted(model.pretence) { checkOrder(output, end) }
        if subject.isPretended, !isLoose, !isOutputShared { checkLimits(output) }
        if subject.isPretended, model.pretence.limits == .coarser {
            checkForced(output)
            if !isLoose, !isOutputShared, !model.pretence.reorders { checkRoom(output) }
        }
        if case .real(_, let codec, let decode) = subject {
            checkForced(output)
            checkDrops(output)
            if !isLoose, !isOutputShared { checkLimits(output) }
            await checkDecodes(output, codec, decode)
        }
        return complaints
    }

    // MARK: - Always

    private mutating func checkEach(_ output: [EncodedFrame]) {
        for event in output {
            guard let token = event.token as? Int, frames.indices.contains(token) else {
                complain("an event of a frame that was not given")
                continue
            }
            let time = frames[token].mediaTime(inLowestTerms: model.pretence.hasLowestTerms)
            if event.presentationTime != time { complain("frame \(token) came with time \(event.presentationTime)") }
            if case .pretended = subject, let unit = event.accessUnit, PretendedStream.token(of: unit) != token {
                complain("frame \(token) came with another frame's bytes")
            }
        }
        // Where a lost frame would have been the start, those that refer to it come first.
        let first = output.first { event in
            if let token = event.token as? Int, frames[token].fate == .tooLarge { return true }
            return event.accessUnit != nil
        }
        if let unit = first?.accessUnit, !unit.isSync, !isOutputShared {
            complain("the stream does not start with a sync frame")
        }
    }

    private mutating func checkTimes(_ output: [EncodedFrame]) {
        var last: MediaTime?
        for event in output where event.accessUnit != nil {
            if event.decodeTime > event.presentationTime {
                complain("decoded at \(event.decodeTime), shown at \(event.presentationTime)")
            }
            if let last, !isOutputShared, event.decodeTime <= last {
                complain("decode time \(event.decodeTime) after \(last)")
            }
            last = event.decodeTime
        }
    }

    private mutating func checkFormat(_ output: [EncodedFrame]) {
        guard !isOutputShared else { return }
        let sets = output.compactMap { $0.accessUnit?.format.parameterSets }
        let changes = zip(sets, sets.dropFirst()).count { $0 != $1 }
        if changes > toldChanges {
            complain("parameter sets changed \(changes) times, and \(toldChanges) calls were told that they may")
        }
    }

    private mutating func checkOnce(_ output: [EncodedFrame], _ end: EncoderError.Code?) {
        let tokens = output.compactMap { $0.token as? Int }
        if Set(tokens).count != tokens.count { complain("a frame came out twice: \(tokens)") }
        let strangers = Set(tokens).subtracting(taken)
        if !strangers.isEmpty { complain("frames came out that were not taken: \(strangers.sorted())") }
        let missing = taken.subtracting(tokens)
        if end != .invalidated, !isCutShort, !missing.isEmpty { complain("frames never came out: \(missing.sorted())") }
    }

    // MARK: - Where the order of operations is known

    private mutating func checkEnd(_ end: EncoderError.Code?) {
        let expected: Set<EncoderError.Code?> =
            if model.isFinished { [nil] } else {
                [model.terminal ?? .invalidated, model.doom ?? model.terminal ?? .invalidated]
            }
        if !expected.contains(end) { complain("ended with \(end.map(\.rawValue) ?? "nothing"), expected \(expected)") }
    }

    private mutating func checkColors(_ output: [EncodedFrame]) {
        for event in output {
            guard let token = event.token as? Int, let unit = event.accessUnit, let color = model.colors[token] else {
                continue
            }
            let seen = PretendedStream.color(of: unit.format)
            if seen != color.meaning {
                complain("frame \(token) was given in \(color), its format says \(String(describing: seen))")
            }
        }
    }

    private mutating func checkOrder(_ output: [EncodedFrame], _ end: EncoderError.Code?) {
        let events = output.compactMap(SessionModel.Event.init).filter { !model.refused.contains($0.token) }
        let predicted = model.events
        let common = min(events.count, predicted.count)
        // A session may be invalidated while it tells which frames an encoder lost that gave up.
        let codes = [end, model.doom].compactMap { $0 }
        var told = zip(events, predicted).prefix { $0 == $1 }.count
        // What was under way when it gave up is lost too.
        if model.pretence.depth == 0 || codes.isEmpty { told = predicted.count }
        if events.prefix(min(common, told)) != predicted.prefix(min(common, told)) {
            complain("came out: \(events), expected: \(predicted)")
        }
        let lost = events.dropFirst(told)
        if lost.contains(where: { event in
            !codes.contains { event == .dropped(token: event.token, reason: .failed($0)) }
        }) {
            complain("more came out than went in: \(lost)")
        }
        let least = end == .invalidated || isCutShort ? model.settled : min(told, predicted.count)
        if events.count < least { complain("came out: \(events), expected at least \(least) of \(predicted)") }
    }

    // MARK: - Key frames and limits

    private mutating func checkForced(_ output: [EncodedFrame]) {
        for event in output {
            guard let token = event.token as? Int, frames[token].force, let unit = event.accessUnit else { continue }
            if !unit.isSync { complain("frame \(token) was forced to be a key frame and is none") }
        }
    }

    private mutating func checkDrops(_ output: [EncodedFrame]) {
        guard subject.dropsForLimitsAlone, !isLoose, model.limits.values.allSatisfy(\.limits.isEmpty),
            output.contains(where: { $0.dropReason == .rateControl })
        else { return }
        complain("rate control dropped a frame without a limit")
    }

    /// No window carries more than a limit allows, of the frames that were taken since it came into force.
    private mutating func checkLimits(_ output: [EncodedFrame]) {
        var counted: [Int: [(time: MediaTime, bytes: Int)]] = [:]
        for event in output {
            guard let token = event.token as? Int, let unit = event.accessUnit, let inForce = model.limits[token] else {
                continue
            }
            let frames = counted[inForce.changes, default: []] + [(event.decodeTime, unit.data.count)]
            counted[inForce.changes] = frames
            for limit in inForce.limits {
                let bytes = frames.reduce(0) {
                    (event.decodeTime - $1.time).seconds < limit.seconds - 1e-9 ? $0 + $1.bytes : $0
                }
                if bytes > limit.bytes { complain("frame \(token) ends a window of \(bytes) bytes, limit \(limit)") }
            }
        }
    }

    /// A frame that is dropped for a limit would not have fitted as a key frame with the largest quantizer.
    ///
    /// Without B pictures decode times are those of presentation.
    private mutating func checkRoom(_ output: [EncodedFrame]) {
        var left: [(time: MediaTime, bytes: Int, changes: Int)] = []
        for event in output {
            guard let token = event.token as? Int, let inForce = model.limits[token] else { continue }
            if let unit = event.accessUnit { left.append((event.decodeTime, unit.data.count, inForce.changes)) }
            guard event.dropReason == .rateControl, frames[token].fate == .coded, !inForce.limits.isEmpty else {
                continue
            }
            let least = PretendedSizes.unit(token, isKey: true, at: PretendedSizes.coarsest)
            let fits = inForce.limits.allSatisfy { limit in
                let shared = left.filter {
                    $0.changes == inForce.changes
                        && (event.presentationTime - $0.time).seconds < limit.seconds - 1e-9
                }
                return shared.reduce(least) { $0 + $1.bytes } <= limit.bytes
            }
            if fits { complain("frame \(token) was dropped, of which \(least) bytes would have fitted") }
        }
    }

    private mutating func checkDecodes(
        _ output: [EncodedFrame], _ codec: VideoCodec,
        _ decode: @Sendable (VideoCodec, [EncodedFrame]) async throws -> Int
    ) async {
        // Two readers at once note what they took in either order.
        let coded = output.filter { $0.accessUnit != nil }.sorted { $0.decodeTime < $1.decodeTime }
        guard !coded.isEmpty else { return }
        do {
            let count = try await decode(codec, coded)
            if count != coded.count { complain("\(coded.count) frames were encoded, \(count) decoded") }
        } catch {
            complain("does not decode: \(error)")
        }
    }
}

extension SessionModel.Event {
    var token: Int {
        switch self {
        case .encoded(let token, _), .dropped(let token, _): token
        }
    }

    /// What a session said of a frame.
    fileprivate init?(_ frame: EncodedFrame) {
        guard let token = frame.token as? Int else { return nil }
        switch frame.outcome {
        case .encoded(let unit): self = .encoded(token: token, isSync: unit.isSync)
        case .dropped(.rateControl): self = .dropped(token: token, reason: .rateControl)
        case .dropped(.failed(let error)): self = .dropped(token: token, reason: .failed(error.code))
        }
    }
}
