// SPDX-License-Identifier: MIT

import DequeModule

/// The frames inside an encoder, by the id they were given to it with: ids count up, outputs take them in any order.
struct FrameTickets {
    /// One frame inside.
    struct Ticket {
        let frame: SubmittedFrame
        /// Whether the encoder was told to make it a sync frame.
        var isForced = false
        /// Its time on the encoder's clock.
        var ticks: Int64 = 0
        /// Its time on the clock of rate control.
        var rateTime = MediaTime.zero
        /// The picture, where it is kept to be encoded again; nil where the encoder alone has it.
        var picture: PixelBuffer?
        /// Whether it is a sync frame as an encoder's first.
        var isFirst = false
        /// The quantizer that the encoder was told to use; nil where it chooses.
        var quantizer: Int?
        /// What it is thought to take, where limits count; 0 where nothing is known.
        var expectedBytes = 0
        /// ``LimitPlanner/era`` when it was given.
        var era = 0
        /// How often it was encoded before.
        var attempts = 0
        /// When the encoder was given it, in nanoseconds of ``FrameCost/now``.
        let givenAt = FrameCost.now

        /// How long the session had the frame, which comes out now.
        var cost: FrameCost {
            let now = FrameCost.now
            return FrameCost(
                latency: now - frame.takenAt, timeInTransfer: frame.transferTime, timeInEncoder: now - givenAt)
        }
    }

    /// Tickets from ``firstID`` on; nil for a frame that came out before its elders.
    private var tickets: Deque<Ticket?> = []
    private var firstID: Int
    /// Frames inside.
    private(set) var count = 0
    /// What they are thought to take, all together.
    private(set) var expectedBytes = 0

    /// Nothing is inside; `firstID` is the id of the first frame to come.
    init(firstID: Int = 0) { self.firstID = firstID }

    /// The id of the frame that is taken in next.
    var nextID: Int { firstID + tickets.count }

    /// The id of the frame that has been inside longest; nil without any.
    var oldestID: Int? { count == 0 ? nil : firstID }

    /// Takes a frame in; its id.
    mutating func add(_ ticket: Ticket) -> Int {
        defer {
            tickets.append(ticket)
            count += 1
            expectedBytes += ticket.expectedBytes
        }
        return nextID
    }

    /// Takes out the frame with an id; nil when it is not inside.
    mutating func remove(id: Int) -> Ticket? {
        let (index, overflow) = id.subtractingReportingOverflow(firstID)
        guard !overflow, tickets.indices.contains(index), let ticket = exchange(&tickets[index], with: nil) else {
            return nil
        }
        count -= 1
        expectedBytes -= ticket.expectedBytes
        while case .some(nil) = tickets.first {
            tickets.removeFirst()
            firstID += 1
        }
        return ticket
    }

    /// Takes all frames out, eldest first; ids go on.
    mutating func removeAll() -> [Ticket] {
        defer {
            firstID += tickets.count
            tickets.removeAll()
            (count, expectedBytes) = (0, 0)
        }
        return tickets.compactMap(\.self)
    }

    /// What `transform` makes of the frames inside, eldest first.
    func map<Value>(_ transform: (Ticket) -> Value) -> [Value] { tickets.compactMap { $0.map(transform) } }

    /// Whether a frame inside satisfies `condition`.
    func contains(where condition: (SubmittedFrame) -> Bool) -> Bool {
        tickets.contains { $0.map { condition($0.frame) } ?? false }
    }
}

extension EncodedFrame {
    /// The frame of a ticket, which comes out now.
    init(_ unit: consuming AccessUnit, of ticket: FrameTickets.Ticket, decodeTime: MediaTime) {
        let frame = ticket.frame
        self.init(
            .encoded(unit), frame.time, decodeTime, frame.duration, frame.options.token, cost: ticket.cost)
    }
}
