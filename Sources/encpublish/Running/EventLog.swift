// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing
import Synchronization

/// Keeps what happens in a broadcast for the report, and tells a person of it at once.
final class EventLog: Sendable {
    /// An output of one of the broadcasts.
    struct Place: Hashable {
        /// The number of the broadcast, from 0 on.
        var broadcast: Int
        var output: OutputID
    }

    private struct State {
        var drops: [Place: [DropReport]] = [:]
        var files: [Place: [String]] = [:]
        var notes: [String] = []
        var over: Set<Place> = []
    }

    private let state = Mutex(State())
    private let tell: @Sendable (String) -> Void
    private let outputCounts: [Int]
    /// Each happens when all outputs of a broadcast are over: nobody is left to encode for.
    let over: [OneShotEvent]
    /// Happens when all outputs are over: nobody is left to read for.
    let allOver = OneShotEvent()

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - outputCounts: The outputs of each broadcast.
    ///   - tell: Takes lines for people.
    init(outputCounts: [Int], tell: @escaping @Sendable (String) -> Void) {
        self.outputCounts = outputCounts
        over = outputCounts.map { _ in OneShotEvent() }
        self.tell = tell
    }

    /// What an output left out, in order.
    func drops(of output: Place) -> [DropReport] { state.withLock { $0.drops[output] ?? [] } }

    /// The files that an output went on in, beside the one it was named by.
    func files(of output: Place) -> [String] { state.withLock { $0.files[output] ?? [] } }

    /// What else happened, a sentence each.
    var notes: [String] { state.withLock { $0.notes } }

    /// Takes notice of what happened in a broadcast.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - broadcast: The number of the broadcast.
    func take(_ event: BroadcastEvent, of broadcast: Int) {
        switch event {
        case .state(let output, let name, let new):
            take(new, of: Place(broadcast: broadcast, output: output), name: name)
        case .dropped(let output, let name, let report):
            state.withLock { $0.drops[Place(broadcast: broadcast, output: output), default: []].append(report) }
            tell("\(name): left out, \(report)")
        case .newFile(let output, let path):
            state.withLock { $0.files[Place(broadcast: broadcast, output: output), default: []].append(path) }
            tell("goes on in \(path): the format changed, or the container's times came to their end")
        case .rebased(let track, let from, let to):
            note(
                "\(track): the source's clock does not go on; what it calls \(Self.seconds(from)) is taken for "
                    + Self.seconds(to))
        case .soundLeftOut(let track, let count): note("\(track): \(count) packets before the first picture left out")
        case .pictureMissing(let time): note("no picture for \(Self.seconds(time)); sound is left out until one comes")
        }
    }

    private static func seconds(_ time: MediaTime) -> String { "\(Format.fixed(time.seconds, 3)) s" }

    /// Keeps a sentence, and tells it.
    func note(_ text: String) {
        state.withLock { $0.notes.append(text) }
        tell(text)
    }

    private func take(_ new: PublishState, of output: Place, name: String) {
        switch new {
        case .publishing where name.contains("://"): tell("\(name): publishing")
        case .backingOff: tell("\(name): \(new)")
        case .failed(let error): tell("\(name): \(error.reason)")
        case .idle, .connecting, .publishing, .ended: break
        }
        guard new.isFinal else { return }
        let (isLast, isLastOfAll) = state.withLock { state in
            state.over.insert(output)
            let count = state.over.count { $0.broadcast == output.broadcast }
            return (count >= outputCounts[output.broadcast], state.over.count >= outputCounts.reduce(0, +))
        }
        if isLast { over[output.broadcast].signal() }
        if isLastOfAll { allOver.signal() }
    }
}
