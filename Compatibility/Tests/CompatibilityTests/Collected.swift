// SPDX-License-Identifier: MIT

import ClientSupport
import Foundation
import Synchronization
import Testing

/// What callbacks gave out, on whatever thread.
final class Collected<Element: Sendable>: Sendable {
    private let all = Mutex<[Element]>([])

    var elements: [Element] { all.withLock { $0 } }

    func append(_ element: Element) { all.withLock { $0.append(element) } }
}

/// Decodes a stream, which must have so many pictures and nothing to complain of; nil where there is no ffprobe.
@discardableResult
func decode(
    _ stream: ElementaryStream, frames: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws -> DecodedStream? {
    guard let decoded = try DecodedStream(stream) else { return nil }
    #expect(decoded.pictures.count == frames, sourceLocation: sourceLocation)
    #expect(decoded.complaints == "", sourceLocation: sourceLocation)
    return decoded
}

/// Keeps an object for as long as a test runs, in a closure that may go to another thread.
struct Held<Object>: @unchecked Sendable {
    // Unchecked: the test reads it when no callback runs any more.
    let object: Object
}
