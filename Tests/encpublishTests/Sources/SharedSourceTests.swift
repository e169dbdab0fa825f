// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@testable import encpublish

@Suite struct SharedSourceTests {
    private func source(_ duration: Double) -> PacedSource {
        PacedSource(
            TestVideo(showsFlashes: false, size: .init(width: 16, height: 16), rate: 100), isPaced: false,
            duration: duration)
    }

    private func times(_ source: any VideoSource) throws -> [MediaTime] {
        var times: [MediaTime] = []
        while let frame = try source.next() { times.append(frame.presentationTime) }
        return times
    }

    @Test("all readers get all pictures, the slow and the fast")
    func all() async throws {
        let shared = SharedSource(source(2), among: 3)
        let counts = try await withThrowingTaskGroup(of: [MediaTime].self) { group in
            for index in 0..<3 {
                group.addTask {
                    try await onThread { try times(shared.branch(index)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.allSatisfy { $0.count == 200 && $0 == counts[0] })
    }

    @Test("a reader that stops lets the others go on")
    func closing() throws {
        let shared = SharedSource(source(1), among: 2)
        let first = shared.branch(0)
        for _ in 0..<SharedSource.depth { #expect(try first.next() != nil) }
        shared.close(1)
        #expect(try times(first).count == 100 - SharedSource.depth)
        #expect(try shared.branch(1).next() == nil)
    }
}
