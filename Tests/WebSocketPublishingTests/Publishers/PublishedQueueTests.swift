// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

@testable import WebSocketPublishing

@Suite struct PublishedQueueTests {
    @Test("packets come out as they went in, and reading pauses above the limit until half of it waits")
    func model() throws {
        var random = SeededGenerator()
        let format = try Frames.audioFormat()
        for _ in 0..<200 {
            let limit = Int.random(in: 1...2000, using: &random)
            var queue = PublishedQueue(limit: limit)
            var (waiting, isPaused, count, pauses): ([MediaPacket], Bool, Int, Int) = ([], false, 0, 0)
            for _ in 0..<200 {
                let bytes = waiting.reduce(0) { $0 + $1.byteCount }
                #expect(queue.byteCount == bytes && queue.isPaused == isPaused)
                if Bool.random(using: &random) {
                    let packet = Frames.sound(
                        .milliseconds(Int64(count)), byteCount: Int.random(in: 1...500, using: &random), format: format)
                    count += 1
                    waiting.append(packet)
                    let pauses1 = !isPaused && bytes + packet.byteCount > limit
                    #expect(queue.push(packet) == pauses1)
                    if pauses1 { (isPaused, pauses) = (true, pauses + 1) }
                } else if let next = queue.pop() {
                    let first = waiting.removeFirst()
                    #expect(next.packet.presentationTime == first.presentationTime)
                    let resumes = isPaused && bytes - first.byteCount <= limit / 2
                    #expect(next.resumes == resumes)
                    if resumes { isPaused = false }
                } else {
                    #expect(waiting.isEmpty)
                }
            }
            #expect(pauses > 0 || limit > 500)
        }
    }

    @Test("the first end counts")
    func ends() {
        var queue = PublishedQueue(limit: 1)
        queue.end(.failure(PublishingError(.corrupt, reason: "one")))
        queue.end(.success(()))
        guard case .failure(let error) = queue.ending else {
            Issue.record("\(String(describing: queue.ending))")
            return
        }
        #expect(error.reason == "one")
    }
}
