// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct MailboxTests {
    @Test("of what comes before the start, the newest items are kept, or none; what comes later is all given, in order")
    func early() throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let (capacity, isKeeping) = (Int.random(in: 1...20, using: &random), Bool.random(using: &random))
            let mailbox = Mailbox<Void, Int>(capacity: capacity, keepsEarly: isKeeping)
            let early = Int.random(in: 0...60, using: &random)
            for item in 0..<early { #expect(mailbox.put(item)) }
            mailbox.start()
            var wanted = isKeeping ? Array((0..<early).suffix(capacity)) : []
            var taken: [Int] = []
            for item in early..<early + 30 {
                // A full one waits for room, which nobody makes here.
                while wanted.count - taken.count >= capacity || Bool.random(using: &random) {
                    guard case .item(let item) = try mailbox.poll() else { break }
                    taken.append(item)
                }
                #expect(mailbox.put(item))
                wanted.append(item)
            }
            mailbox.end()
            while case .item(let item) = try mailbox.poll() { taken.append(item) }
            #expect(taken == wanted)
        }
    }

    @Test("sound of a card is kept for 20 s before it is asked for")
    func soundDepth() throws {
        let pieces = Int64(SoundCapture.depth)
        let frames = Int64(DeviceRequest.soundPiece / DeviceRequest.soundChannels / 2)
        #expect(pieces * frames == 20 * Int64(DeviceRequest.soundRate))
    }
}
