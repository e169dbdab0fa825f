// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing
import Synchronization

/// Keeps what happens in a broadcast for the report, and tells a person of it at once.
final class EventLog: Sendable {
    private struct State {
        var drops: [OutputID: [DropReport]] = [:]
        var files: [OutputID: [String]] = [:]
        var notes: [String] = []
        var over: Set<OutputID> = []
    }

    private let state = Mutex(State())
    private let tell: @Sendable (String) -> Void
    private let outputCount: Int
    /// Happens when all outputs are over: nobody is left to read for.
    let allOver = OneShotEvent()

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - outputCount: Outputs there are from the start.
    ///   - tell: Takes lines for people.
    init(outputCount: Int, tell: @escaping @Sendable (String) -> Void) {
        self.outputCount = outputCount
        self.tell = tell
    }

    /// What an output left out, in order.
    func drops(of output: OutputID) -> [DropReport] { state.withLock { $0.drops[output] ?? [] } }

    /// The files that an output went on in, beside the one it was named by.
    func files(of output: OutputID) -> [String] { state.withLock { $0.files[output] ?? [] } }

    /// What else happened, a sentence each.
    var notes: [String] { state.withLock { $0.notes } }

    /// Takes notice of an event.
    func take(_ event: BroadcastEvent) {
        switch event {
        case .state(let output, let name, let new): take(new, of: output, name: name)
        case .dropped(let output, let name, let report):
            state.withLock { $0.drops[output, default: []].append(report) }
            tell("\(name): left out, \(report)")
        case .newFile(let output, let path):
            state.withLock { $0.files[output, default: []].append(path) }
            tell("the format changes; goes on in \(path)")
        case .rebased(let track, let from, let to):
            note("\(track): the source's clock goes back from \(from) to \(to)")
        case .soundLeftOut(let track, let count): note("\(track): \(count) packets before the first picture left out")
        case .pictureMissing(let time): note("no picture for \(time); sound is left out until one comes")
        }
    }

    private func note(_ text: String) {
        state.withLock { $0.notes.append(text) }
        tell(text)
    }

    private func take(_ new: PublishState, of output: OutputID, name: String) {
        switch new {
        case .publishing where name.contains("://"): tell("\(name): publishing")
        case .backingOff: tell("\(name): failed, and tries again")
        case .failed(let error): tell("\(name): \(error.reason)")
        case .idle, .connecting, .publishing, .ended: break
        }
        guard new.isFinal else { return }
        let isLast = state.withLock { state in
            state.over.insert(output)
            return state.over.count >= outputCount
        }
        if isLast { allOver.signal() }
    }
}
