// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing
import WebSocketPublishing

@Suite struct ViewerQueueTests {
    private typealias Queue = ViewerQueue<Int>
    private let video: FormatDescription
    private let audio: AudioFormat

    init() throws {
        video = try Frames.videoFormat()
        audio = try Frames.audioFormat()
    }

    /// Picture number `number` at 25 frames in a second, with a key frame each `interval`.
    private func picture(_ number: Int, interval: Int = 25, byteCount: Int = 1000, format: FormatDescription? = nil)
        -> Queue.Frame
    {
        let packet = Frames.picture(
            .milliseconds(Int64(number) * 40), isKey: number % interval == 0, format: format ?? video)
        return Queue.Frame(packet, payload: number, byteCount: byteCount)
    }

    private func sound(_ number: Int) -> Queue.Frame {
        Queue.Frame(
            Frames.sound(.milliseconds(Int64(number) * 40), format: audio), payload: -1 - number, byteCount: 200)
    }

    private func drain(_ queue: inout Queue) -> [Int] {
        var payloads: [Int] = []
        while let next = queue.pop() { payloads.append(next.frame.payload) }
        return payloads
    }

    @Test("a viewer who joins begins with a key frame, and with the sound that belongs to it")
    func joining() {
        var queue = Queue(tracks: [.video, .audio])
        for number in 5..<26 {
            queue.push(sound(number))
            #expect(queue.isBeginning && queue.count == 0)
            queue.push(picture(number))
        }
        queue.push(sound(26))
        queue.push(picture(26))
        #expect(!queue.isBeginning && drain(&queue) == [25, -27, 26])
        #expect(queue.passedOver == 41 && queue.droppedFrames == 0)
    }

    @Test("the format goes before the first frame and before the first of another")
    func formats() throws {
        var queue = Queue(tracks: [.video, .audio])
        let other = try Frames.videoFormat(1)
        var told: [Bool] = []
        for frame in [picture(0), sound(0), picture(1), sound(1), picture(2, format: other), picture(3, format: other)]
        {
            queue.push(frame)
            while let next = queue.pop() { told.append(next.isFormatNew) }
        }
        #expect(told == [true, true, false, false, true, false])
    }

    @Test("the format of frames that were left out is told with the first that is not")
    func formatsOfDropped() throws {
        let other = try Frames.videoFormat(1)
        var queue = Queue(tracks: [.video])
        queue.push(picture(0))
        _ = queue.pop()
        for number in 1..<24 { queue.push(picture(number)) }
        for number in 25..<50 { queue.push(picture(number, format: other)) }
        #expect(queue.pop()?.isFormatNew == true)
        #expect(queue.pop()?.isFormatNew == false)
    }

    @Test("a viewer who takes nothing goes on with the newest key frame")
    func slow() {
        var queue = Queue(tracks: [.video, .audio])
        for number in 0..<28 {
            queue.push(picture(number))
            queue.push(sound(number))
        }
        // The limit of a second was passed at picture 26; key frames are 0 and 25.
        let rest = drain(&queue)
        #expect(rest.first == 25 && rest.contains(-28) && !rest.contains(-25))
        #expect(queue.droppedFrames + rest.count == 56)
    }

    @Test("without a key frame that waits, all is left out up to the next one")
    func untilKeyFrame() {
        var queue = Queue(tracks: [.video, .audio])
        for number in 0..<40 { queue.push(picture(number, interval: 40)) }
        #expect(queue.count == 0 && !queue.isBeginning)
        queue.push(sound(39))
        queue.push(picture(40, interval: 40))
        queue.push(sound(40))
        #expect(drain(&queue) == [40, -41])
    }

    @Test("pictures shown before the key frame that a viewer went on with are left out")
    func leadingPictures() {
        var queue = Queue(tracks: [.video])
        func frame(_ number: Int, shown: Int64, decoded: Int64, isKey: Bool = false) -> Queue.Frame {
            Queue.Frame(
                Frames.picture(
                    .milliseconds(shown), decodedAt: .milliseconds(decoded), isKey: isKey, format: video),
                payload: number, byteCount: 10)
        }
        queue.push(frame(0, shown: 120, decoded: 0, isKey: true))
        queue.push(frame(1, shown: 40, decoded: 40))
        queue.push(frame(2, shown: 80, decoded: 80))
        queue.push(frame(3, shown: 160, decoded: 120))
        #expect(drain(&queue) == [0, 3])
    }

    @Test("so are those that waited behind the key frame that a slow viewer goes on with")
    func waitingLeadingPictures() {
        var queue = Queue(tracks: [.video])
        for number in 0..<30 {
            // Groups of 15, each key frame shown behind the two pictures that are decoded after it.
            let place = number % 15
            let shown = place == 0 ? number + 2 : place < 3 ? number - 1 : number
            let packet = Frames.picture(
                .milliseconds(Int64(shown) * 40 + 80), decodedAt: .milliseconds(Int64(number) * 40), isKey: place == 0,
                format: video)
            queue.push(Queue.Frame(packet, payload: number, byteCount: 1000))
        }
        #expect(drain(&queue) == [15] + Array(18..<30))
    }

    @Test("sound alone begins anywhere, and a slow listener goes on with the newest")
    func soundAlone() {
        var queue = Queue(tracks: [.audio])
        queue.push(sound(3))
        #expect(drain(&queue) == [-4])
        for number in 4..<40 { queue.push(sound(number)) }
        let rest = drain(&queue)
        #expect(rest.last == -40 && rest.count < 36 && rest.count + queue.droppedFrames == 36)
    }

    @Test("random sequences: bounded, in order, whole groups, each frame counted once")
    func model() throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            var limits = ViewerLimits()
            limits.byteCount = Int.random(in: 1...60_000, using: &random)
            limits.duration = .milliseconds(Int64.random(in: 1...1500, using: &random))
            var queue = Queue(tracks: [.video, .audio], limits: limits)
            let interval = Int.random(in: 1...40, using: &random)
            let eagerness = Int.random(in: 0...4, using: &random)
            var (given, taken): ([Int], [Int]) = ([], [])
            for number in 0..<300 {
                let size = Int.random(in: 1...5000, using: &random)
                queue.push(picture(number, interval: interval, byteCount: size))
                given.append(number)
                if Bool.random(using: &random) {
                    queue.push(sound(number))
                    given.append(-1 - number)
                }
                #expect(
                    queue.byteCount <= max(limits.byteCount, size) && (queue.age <= limits.duration || queue.count == 1)
                )
                for _ in 0..<eagerness where Bool.random(using: &random) {
                    if let next = queue.pop() { taken.append(next.frame.payload) }
                }
            }
            taken += drain(&queue)
            #expect(queue.byteCount == 0 && queue.count == 0)
            #expect(
                taken.count + queue.passedOver + queue.droppedFrames == given.count && queue.givenFrames == given.count)
            // In the order of giving, none twice.
            let places = taken.compactMap { payload in given.firstIndex(of: payload) }
            #expect(places == places.sorted() && Set(places).count == taken.count)
            // A picture that is no key frame follows the one before it, or nothing could decode it.
            var last: Int?
            for picture in taken where picture >= 0 {
                #expect(picture % interval == 0 || last == picture - 1)
                last = picture
            }
        }
    }
}
