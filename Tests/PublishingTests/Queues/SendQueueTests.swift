// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

@Suite struct SendQueueTests {
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try TestPackets.videoFormat()
        audio = try TestPackets.audioFormat()
    }

    /// Picture number `number` at 25 frames in a second: a key frame each `interval`, between them in turn a picture
    /// that others need and one that none does.
    private func picture(_ number: Int, interval: Int = 50, byteCount: Int = 1000) -> MediaPacket {
        let place = number % interval
        return TestPackets.picture(
            .milliseconds(Int64(number) * 40), isKey: place == 0, isDisposable: place % 2 == 1, byteCount: byteCount,
            format: video)
    }

    private func sound(_ number: Int) -> MediaPacket {
        TestPackets.sound(.milliseconds(Int64(number) * 40), format: audio)
    }

    /// A queue from which the key frame of a second ago was sent.
    private func runningQueue() -> SendQueue {
        var queue = SendQueue(tracks: [.video, .audio])
        queue.push(TestPackets.picture(.milliseconds(-1000), isKey: true, format: video))
        _ = queue.pop()
        return queue
    }

    private func drain(_ queue: inout SendQueue) -> [MediaPacket] {
        var packets: [MediaPacket] = []
        while let packet = queue.pop() { packets.append(packet) }
        return packets
    }

    @Test("what is sent in time is never left out")
    func inTime() {
        var queue = SendQueue(tracks: [.video, .audio])
        for number in 0..<1000 {
            queue.push(picture(number))
            queue.push(sound(number))
            #expect(drain(&queue).count == 2)
        }
        #expect(queue.episode == nil && queue.takeReports().isEmpty && queue.byteCount == 0)
    }

    @Test("from half of the limit on, the pictures that no other needs go, and nothing else")
    func disposable() {
        var queue = SendQueue(tracks: [.video, .audio])
        for number in 0..<45 {
            queue.push(picture(number, interval: 1000))
            queue.push(sound(number))
        }
        #expect(queue.episode?.disposablePictures == 22)
        #expect(queue.episode?.otherPictures == 0 && queue.episode?.soundPackets == 0)
        #expect(queue.count == 23 + 45)
    }

    @Test("beyond the limit, all pictures up to the next key frame go; sound stays")
    func groupOfPictures() {
        var queue = runningQueue()
        // Key frames at 0 and 1.6 s; the limit is crossed at 2.08 s.
        for number in 0...52 {
            queue.push(picture(number, interval: 40))
            queue.push(sound(number))
        }
        let rest = drain(&queue)
        let pictures = rest.filter { $0.track == .video }
        #expect(pictures.first?.isKey == true && pictures.first?.presentationTime == .milliseconds(1600))
        #expect(pictures.allSatisfy { !$0.isDisposable } && pictures.count == 7)
        #expect(rest.filter { $0.track == .audio }.first?.presentationTime == .milliseconds(0))
    }

    @Test(
        "before the first picture is sent, sound goes with the pictures, whether or not a key frame waits behind them")
    func beginning() {
        for interval in [40, 75] {
            var queue = SendQueue(tracks: [.video, .audio])
            for number in 0..<100 {
                queue.push(sound(number))
                queue.push(picture(number, interval: interval))
            }
            let rest = drain(&queue)
            #expect(rest.first?.track == .video && rest.first?.isKey == true, "\(interval)")
            #expect(rest.contains { $0.track == .audio })
            #expect(rest.count + (queue.episode?.packetCount ?? 0) == 200)
            #expect(queue.episode?.reason == .congestion)
        }
    }

    @Test("without a key frame that waits, all pictures go until one comes")
    func untilKeyFrame() {
        var queue = SendQueue(tracks: [.video])
        for number in 0..<100 { queue.push(picture(number, interval: 75)) }
        let rest = drain(&queue)
        #expect(rest.first?.presentationTime == .milliseconds(3000) && rest.first?.isKey == true)
        #expect(queue.episode?.packetCount == 75)
    }

    @Test("sound goes only where no older picture waits, and may wait twice as long")
    func soundLast() {
        var queue = runningQueue()
        for number in 0..<200 {
            queue.push(picture(number, interval: 10_000))
            queue.push(sound(number))
        }
        let rest = drain(&queue)
        #expect(rest.allSatisfy { $0.track == .audio })
        #expect(rest.last?.presentationTime == .milliseconds(199 * 40))
        #expect(rest.first?.presentationTime == .milliseconds(99 * 40))
    }

    @Test("a picture larger than the limit is sent all the same")
    func hugePicture() {
        var queue = SendQueue(tracks: [.video], limits: .init(byteCount: 10_000))
        queue.push(picture(0, byteCount: 20_000))
        queue.push(picture(2, byteCount: 500))
        #expect(drain(&queue).isEmpty)
        queue.push(picture(50, byteCount: 20_000))
        #expect(drain(&queue).map(\.presentationTime) == [.milliseconds(2000)])
    }

    @Test("one report tells a whole episode, once the queue has kept up for a while")
    func episodes() {
        var queue = SendQueue(tracks: [.video, .audio])
        var (reports, sent): ([DropReport], Int) = ([], 0)
        for number in 0..<1000 {
            queue.push(picture(number))
            queue.push(sound(number))
            // From 4 s to 20 s only three packets of four can be sent.
            if (100..<500).contains(number) {
                for _ in 0...number % 2 { sent += queue.pop() == nil ? 0 : 1 }
                #expect(queue.takeReports().isEmpty)
            } else {
                sent += drain(&queue).count
            }
            reports += queue.takeReports()
        }
        #expect(reports.count == 1 && queue.episode == nil)
        let report = reports.first
        #expect(report?.packetCount == 2000 - sent && report?.reason == .congestion)
        #expect((report?.start.seconds ?? 0) > 4 && (report?.end.seconds ?? 99) < 20.1)
        #expect((report?.disposablePictures ?? 0) > 50 && report?.soundPackets == 0)
    }

    @Test("an output that lost its connection begins with the next key frame and the sound from there on")
    func reconnecting() {
        var queue = SendQueue(tracks: [.video, .audio])
        for number in 0..<10 {
            queue.push(picture(number))
            queue.push(sound(number))
        }
        queue.disconnect()
        #expect(queue.count == 0 && queue.byteCount == 0 && queue.episode?.packetCount == 20)
        for number in 10..<60 {
            if number == 30 { queue.connect() }
            queue.push(picture(number))
            queue.push(sound(number))
        }
        #expect(queue.first?.isKey == true && queue.first?.presentationTime == .milliseconds(2000))
        #expect(drain(&queue).filter { $0.track == .audio }.map(\.presentationTime).first == .milliseconds(2000))
        let reports = queue.takeReports()
        #expect(reports.map(\.reason) == [.notConnected] && reports.first?.packetCount == 100)
        #expect(reports.first?.start == .zero && reports.first?.end == .milliseconds(49 * 40))
    }

    /// Picture number `number` of open groups of six: behind the key frame come two pictures that are shown before it.
    private func openPicture(_ number: Int) -> MediaPacket {
        let (group, place) = (number / 6, number % 6)
        let shown = group * 6 + [2, 0, 1, 3, 4, 5][place]
        return TestPackets.picture(
            .milliseconds(Int64(shown) * 40 + 80), decodedAt: .milliseconds(Int64(number) * 40), isKey: place == 0,
            format: video)
    }

    @Test("an open group that an output goes on with has no pictures that are shown before its key frame")
    func openGroupAfterReconnecting() {
        var queue = SendQueue(tracks: [.video])
        for number in 0..<4 { queue.push(openPicture(number)) }
        // Those that the source begins with go where they are.
        #expect(drain(&queue).count == 4)
        queue.disconnect()
        for number in 4..<18 {
            if number == 8 { queue.connect() }
            queue.push(openPicture(number))
        }
        let expected = [12, 15, 16, 17].map { openPicture($0).presentationTime }
        #expect(drain(&queue).map(\.presentationTime) == expected)
        let reports = queue.takeReports()
        #expect(reports.map(\.reason) == [.notConnected] && reports.map(\.packetCount) == [10])
    }

    @Test(
        "where a group is left out, the pictures of the next that are predicted from it are too",
        arguments: [13, 14, 15])
    func openGroupBehindCongestion(given: Int) {
        let limits = SendQueue.Limits(duration: .milliseconds(470))
        var queue = SendQueue(tracks: [.video], limits: limits)
        // The thirteenth is more than the limit after the first: both its group and the one it begins wait then.
        for number in 0..<given { queue.push(openPicture(number)) }
        let numbers = [6, 9, 10, 11] + [12, 13, 14, 15].prefix(given - 12)
        #expect(drain(&queue).map(\.decodeTime) == numbers.map { openPicture($0).decodeTime })
    }

    @Test("where the only key frame that waits came last, pictures that follow and are shown before it are left out")
    func leadingPicturesThatFollow() {
        let limits = SendQueue.Limits(duration: .milliseconds(230))
        var queue = SendQueue(tracks: [.video], limits: limits)
        for number in 0..<11 { queue.push(openPicture(number)) }
        #expect(drain(&queue).map(\.decodeTime) == [6, 9, 10].map { openPicture($0).decodeTime })
    }

    @Test("an output of sound alone begins with the next packet")
    func soundAlone() {
        var queue = SendQueue(tracks: [.audio], isConnected: false)
        queue.push(sound(0))
        queue.connect()
        queue.push(sound(1))
        #expect(drain(&queue).map(\.presentationTime) == [.milliseconds(40)])
        #expect(queue.takeReports().map(\.soundPackets) == [1])
    }

    @Test(
        "whatever comes and goes, what is sent can be decoded, all is counted, the limits hold, and sound goes last",
        .inTurn())
    func random() {
        var random = SeededGenerator()
        for _ in 0..<100 {
            let limits = SendQueue.Limits(duration: .milliseconds(1000), byteCount: 60_000)
            var queue = SendQueue(tracks: [.video, .audio], limits: limits)
            var model = SendQueueModel()
            let interval = Int.random(in: 1...60, using: &random)
            var number = 0
            for _ in 0..<600 {
                switch Int.random(in: 0...99, using: &random) {
                case 0...49:
                    let bytes = Int.random(in: 1...5000, using: &random)
                    model.push(picture(number, interval: interval, byteCount: bytes + 4), &queue)
                    model.push(sound(number), &queue)
                    number += 1
                case 50...97:
                    for _ in 0..<Int.random(in: 0...3, using: &random) { model.pop(&queue) }
                case 98: model.disconnect(&queue)
                default: model.connect(&queue)
                }
                let waiting = model.waiting(queue)
                #expect(waiting.pictures.span <= limits.duration)
                #expect(waiting.sounds.span <= limits.duration + limits.duration)
                #expect(queue.byteCount <= limits.byteCount || waiting.pictures.count == 1)
            }
            model.finish(&queue)
            #expect(model.faults.isEmpty, "\(model.faults.prefix(3))")
        }
    }

    @Test("the model finds a queue that leaves out sound first, a picture others need, or begins without a key frame")
    func modelFindsFaults() {
        var model = SendQueueModel()
        model.note(sent: picture(0))
        model.note(sent: picture(4))
        #expect(model.faults == ["picture at 160/1000 s sent without the one at 80/1000 s"])
        model = SendQueueModel()
        model.note(sent: picture(2))
        #expect(model.faults == ["picture at 80/1000 s sent without a key frame"])
    }
}

/// What must be true of a queue, told by what goes in and comes out.
private struct SendQueueModel {
    private(set) var faults: [String] = []
    private var given = 0
    private var sent = 0
    private var counted = 0
    private var sentTimes: Set<MediaTime> = []
    private var keyFrame: MediaTime?

    mutating func push(_ packet: MediaPacket, _ queue: inout SendQueue) {
        given += 1
        let before = (queue.episode?.soundPackets ?? 0, waiting(queue).sounds.first)
        queue.push(packet)
        if queue.episode?.reason == .congestion, let soundPackets = queue.episode?.soundPackets,
            soundPackets > before.0, let oldest = before.1, let picture = waiting(queue).pictures.first,
            waiting(queue).pictures.count > 1, picture <= oldest
        {
            faults.append("sound left out at \(oldest) while a picture waits from \(picture) on")
        }
        count(&queue)
    }

    mutating func pop(_ queue: inout SendQueue) {
        guard let packet = queue.pop() else { return }
        note(sent: packet)
        count(&queue)
    }

    /// Checks that a picture has all that it is predicted from: every other one since the key frame.
    mutating func note(sent packet: MediaPacket) {
        sent += 1
        guard packet.track.kind == .video else { return }
        let time = packet.presentationTime
        if packet.isKey { keyFrame = time }
        sentTimes.insert(time)
        guard let keyFrame else { return faults.append("picture at \(time) sent without a key frame") }
        let step = MediaTime.milliseconds(80)
        var other = keyFrame + step
        while other < time {
            if !sentTimes.contains(other) { faults.append("picture at \(time) sent without the one at \(other)") }
            other = other + step
        }
    }

    mutating func disconnect(_ queue: inout SendQueue) {
        queue.disconnect()
        keyFrame = nil
        count(&queue)
    }

    mutating func connect(_ queue: inout SendQueue) { queue.connect() }

    /// Decode times of what waits.
    func waiting(_ queue: SendQueue) -> (pictures: [MediaTime], sounds: [MediaTime]) {
        var copy = queue
        var packets: [MediaPacket] = []
        while let packet = copy.pop() { packets.append(packet) }
        return (
            packets.filter { $0.track.kind == .video }.map(\.decodeTime),
            packets.filter { $0.track.kind == .audio }.map(\.decodeTime)
        )
    }

    mutating func finish(_ queue: inout SendQueue) {
        while queue.count > 0 { pop(&queue) }
        queue.endEpisode()
        count(&queue)
        if given != sent + counted { faults.append("\(given) given, \(sent) sent, \(counted) left out") }
    }

    private mutating func count(_ queue: inout SendQueue) {
        counted += queue.takeReports().reduce(0) { $0 + $1.packetCount }
    }
}

extension [MediaTime] {
    /// From the first to the last.
    fileprivate var span: MediaTime {
        guard let first, let last else { return .zero }
        return last - first
    }
}
