// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct FrameTicketsTests {
    private static func frame(at tick: Int64) throws -> SubmittedFrame {
        let picture = try PixelBuffer(MutablePixelBuffer(format: .i420, width: 16, height: 16))
        return SubmittedFrame(
            picture: picture, time: MediaTime(value: tick, timescale: 30), duration: nil, options: FrameOptions())
    }

    @Test("each frame comes out once, whatever the order", arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
    func order(ids: [Int]) throws {
        var tickets = FrameTickets()
        for tick in 0..<4 {
            let id = tickets.add(try Self.frame(at: Int64(tick)))
            #expect(id == tick)
        }
        for id in ids {
            #expect(tickets.remove(id: id)?.time.value == Int64(id))
            #expect(tickets.remove(id: id) == nil)
        }
        #expect(!tickets.contains { _ in true })
        let next = tickets.add(try Self.frame(at: 4))
        #expect(next == 4)
    }

    @Test("ids that were never given find nothing", arguments: [-1, 1, Int.min, Int.max])
    func unknown(id: Int) throws {
        var tickets = FrameTickets()
        _ = tickets.add(try Self.frame(at: 0))
        #expect(tickets.remove(id: id) == nil)
        #expect(tickets.contains { $0.time == .zero })
    }

    @Test("frames that were forgotten keep their ids")
    func forgotten() throws {
        var tickets = FrameTickets()
        _ = tickets.add(try Self.frame(at: 0))
        tickets.removeAll()
        let next = tickets.add(try Self.frame(at: 1))
        #expect(next == 1)
        #expect(tickets.remove(id: 0) == nil)
        #expect(tickets.remove(id: 1)?.time.value == 1)
    }
}
