// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct PictureQueueTests {
    @Test(
        "pictures come out in their order, lost where they or one before them in their group were",
        arguments: 0..<40 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = PictureQueue<String>()
        var model = QueueModel()
        for id in 0..<300 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let loss = EncoderError(.backendFailure, reason: "picture \(id)")
                queue.append(lost: id, loss)
                model.append(id, submission: nil, isIDR: false, loss: loss.reason)
            case 1...4:
                let isIDR = Int.random(in: 0..<4, using: &random) == 0
                queue.append("submission \(id)", id: id, isIDR: isIDR)
                model.append(id, submission: "submission \(id)", isIDR: isIDR, loss: nil)
            case 5:
                let loss = EncoderError(.backendFailure, reason: "before \(id)")
                queue.loseDependents(loss)
                model.loseRest(loss.reason)
            default:
                if queue.first != nil { queue.removeFirst() }
                model.removeFirst()
            }
            #expect(queue.count == model.waiting.count, "seed \(seed)")
            #expect(queue.first.map(QueueModel.Entry.init) == model.waiting.first?.entry, "seed \(seed)")
        }
        var rest: [QueueModel.Entry] = []
        while let entry = queue.first {
            rest.append(QueueModel.Entry(entry))
            queue.removeFirst()
        }
        #expect(rest == model.waiting.map(\.entry), "seed \(seed)")
    }

    @Test("a loss spares the IDR picture behind it and what follows that, and keeps what was lost before")
    func dependents() {
        var queue = PictureQueue<Int>()
        let first = EncoderError(.backendFailure, reason: "first")
        queue.append(0, id: 0, isIDR: false)
        queue.append(lost: 1, first)
        queue.append(2, id: 2, isIDR: true)
        queue.append(3, id: 3, isIDR: false)
        queue.loseDependents(EncoderError(.timedOut, reason: "second"))
        var losses: [String?] = []
        while let entry = queue.first {
            losses.append(entry.loss?.error.reason)
            queue.removeFirst()
        }
        #expect(losses == ["second", "first", nil, nil])
    }
}

/// The same queue as groups of pictures: each has the number of the IDR pictures up to it.
private struct QueueModel {
    struct Entry: Equatable {
        var id: Int
        var submission: String?
        var isIDR: Bool
        var loss: String?
    }

    private(set) var waiting: [(entry: Entry, group: Int)] = []
    private var group = 0
    /// The group of the picture that came out last, which a loss concerns.
    private var current = 0

    mutating func append(_ id: Int, submission: String?, isIDR: Bool, loss: String?) {
        if isIDR { group += 1 }
        waiting.append((Entry(id: id, submission: submission, isIDR: isIDR, loss: loss), group))
    }

    mutating func removeFirst() {
        if !waiting.isEmpty { current = waiting.removeFirst().group }
    }

    mutating func loseRest(_ loss: String) {
        for index in waiting.indices where waiting[index].group == current && waiting[index].entry.loss == nil {
            waiting[index].entry.loss = loss
        }
    }
}

extension QueueModel.Entry {
    init(_ entry: PictureQueue<String>.Entry) {
        self.init(id: entry.id, submission: entry.submission, isIDR: entry.isIDR, loss: entry.loss?.error.reason)
    }
}
