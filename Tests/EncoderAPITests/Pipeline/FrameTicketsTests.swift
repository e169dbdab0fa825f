// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct FrameTicketsTests {
    private static func ticket(at tick: Int64) -> FrameTickets.Ticket {
        let time = MediaTime(value: tick, timescale: 30)
        return FrameTickets.Ticket(frame: SubmittedFrame(time: time, duration: nil, options: FrameOptions()))
    }

    @Test("each frame comes out once, whatever the order", arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
    func order(ids: [Int]) {
        var tickets = FrameTickets()
        for tick in 0..<4 {
            let id = tickets.add(Self.ticket(at: Int64(tick)))
            #expect(id == tick)
        }
        for id in ids {
            #expect(tickets.remove(id: id)?.frame.time.value == Int64(id))
            #expect(tickets.remove(id: id) == nil)
        }
        #expect(!tickets.contains { _ in true })
        let next = tickets.add(Self.ticket(at: 4))
        #expect(next == 4)
    }

    @Test("ids that were never given find nothing", arguments: [-1, 1, Int.min, Int.max])
    func unknown(id: Int) {
        var tickets = FrameTickets()
        _ = tickets.add(Self.ticket(at: 0))
        #expect(tickets.remove(id: id) == nil)
        #expect(tickets.contains { $0.time == .zero })
    }

    @Test("frames that are taken out together come eldest first, and their ids are not used again")
    func all() {
        var tickets = FrameTickets()
        _ = tickets.add(Self.ticket(at: 0))
        for tick in 1..<4 { _ = tickets.add(Self.ticket(at: Int64(tick))) }
        _ = tickets.remove(id: 2)
        #expect(tickets.count == 3)
        #expect(tickets.removeAll().map(\.frame.time.value) == [0, 1, 3])
        #expect(tickets.count == 0)
        let next = tickets.add(Self.ticket(at: 4))
        #expect(next == 4)
        #expect(tickets.remove(id: 0) == nil)
        #expect(tickets.remove(id: 4)?.frame.time.value == 4)
    }
}
