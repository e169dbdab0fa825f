// SPDX-License-Identifier: MIT

import CommandOptions
import Synchronization

/// What a person sees while the program runs: a line that is drawn over and over, and what happens above it.
final class ProgressWatch: Sendable {
    private let state = Mutex((text: ProgressText(), line: StatusLine(of: .encpublish)))

    /// Tells what happened, on a line of its own.
    func tell(_ text: String) {
        state.withLock { state in
            state.line.clear()
            StandardError.tell("encpublish: \(text)\n")
        }
    }

    /// Draws how far the program is.
    ///
    /// - Parameters:
    ///   - media: Seconds of the stream that were given.
    ///   - pictures: Pictures that were given; before the first nothing is drawn.
    ///   - places: The outputs in their order.
    /// - Returns: How long to wait before the next time: a second on a terminal, ten elsewhere.
    func draw(media: Double, pictures: Int, places: [ProgressText.Place]) -> Duration {
        state.withLock { state in
            let line = state.text.line(
                media: media, pictures: pictures, places: places, now: MonotonicTime.seconds)
            if pictures > 0 { state.line.show(line) }
            return state.line.isTerminal ? .seconds(1) : .seconds(10)
        }
    }

    /// Wipes the line.
    func clear() { state.withLock { $0.line.clear() } }
}
