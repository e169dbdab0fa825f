// SPDX-License-Identifier: MIT

import DequeModule

/// Decides which coded pictures may leave a session so that no window carries more than its data-rate limit, and what
/// quantizer a picture needs for that: pure.
///
/// A picture leaves where all windows that it ends have room for it. It is also asked to leave room behind: for a sync
/// frame and the pictures after that with the coarsest quantizer, as many as a window holds. As long as that room is
/// kept, whatever comes can be coded anew from a sync frame, so that nothing has to be dropped.
struct LimitPlanner {
    /// One limit from when it came to when it was lifted.
    private struct Watch {
        var counter: WindowCounter
        /// The eras whose pictures it counts: of those given since it came, and before it was lifted.
        var eras: Range<Int>

        init(limit: DataRateLimit, from era: Int) {
            counter = WindowCounter(limit: limit)
            eras = era..<Int.max
        }

        var isInForce: Bool { eras.upperBound == .max }

        func hasNone(_ picture: Counted, sharedWith time: MediaTime) -> Bool {
            !eras.contains(picture.era) || counter.hasPassed(from: picture.time, to: time)
        }
    }

    private var watches: [Watch]
    /// How often the limits changed: a picture keeps the limits that were in force when it was given.
    private(set) var era = 0
    private(set) var sizes: CoarseSizes
    private var trust: BucketTrust
    /// A picture that counts for windows.
    struct Counted {
        var bytes: Int
        var era: Int
        var time: MediaTime
    }

    /// Pictures that count, and may still be taken back.
    private var held: [Counted] = []

    /// Times of the last pictures that were given, eldest first.
    private var inputs: Deque<MediaTime> = []
    /// The mean of their distances; nil where they are too few.
    private var meanDistance: MediaTime?

    /// Whether ``peaks`` changed since this was set to false.
    var hasNewPeaks = false

    /// Starts with nothing counted.
    ///
    /// - Parameters:
    ///   - limits: Those in force.
    ///   - coarsest: The largest quantizer that pictures may get.
    ///   - trustsBucket: Whether no quantizers are chosen beforehand as long as the library's own bucket keeps the
    ///     limits: only where the bucket lies within them, and every picture can be encoded again.
    init(limits: [DataRateLimit], coarsest: Int, trustsBucket: Bool = false) {
        trust = BucketTrust(isFounded: trustsBucket)
        watches = limits.map { Watch(limit: $0, from: 0) }
        sizes = CoarseSizes(coarsest: coarsest)
    }

    /// Chooses quantizers beforehand from now on, whatever the library's bucket keeps.
    mutating func distrustBucket() { trust = BucketTrust(isFounded: false) }

    /// Whether there is a limit, or was one for pictures that have not left.
    var hasLimits: Bool { !watches.isEmpty }

    /// Whether a limit was lifted that pictures may still have to keep.
    var hasLifted: Bool { watches.contains { !$0.isInForce } }

    /// The fullest windows of the limits in force.
    var peaks: [SessionStatistics.WindowPeak] {
        watches.filter(\.isInForce).map {
            SessionStatistics.WindowPeak(limit: $0.counter.limit, bytes: $0.counter.worst)
        }
    }

    /// Goes on with other limits for the pictures that are given from now on; those given before keep theirs, whenever
    /// they come out.
    mutating func change(to limits: [DataRateLimit], coarsest: Int) {
        hasNewPeaks = true
        era += 1
        for index in watches.indices where watches[index].isInForce {
            guard !limits.contains(watches[index].counter.limit) else { continue }
            watches[index].eras = watches[index].eras.lowerBound..<era
        }
        let lifted = watches.filter { !$0.isInForce }
        watches =
            lifted
            + limits.map { limit in
                watches.first { $0.isInForce && $0.counter.limit == limit } ?? Watch(limit: limit, from: era)
            }
        guard coarsest != sizes.coarsest else { return }
        let (sync, usual) = (sizes.sync, sizes.usual)
        sizes = CoarseSizes(coarsest: coarsest)
        for sample in [sync, usual] { sample.map { sizes.note($0) } }
    }

    /// Forgets the limits that were lifted before the eldest picture was given that has not left.
    mutating func forgetLifted(before era: Int) { watches.removeAll { $0.eras.upperBound <= era } }

    // MARK: - Distances

    /// Distances that tell how dense pictures are: few enough to follow a burst, enough to see its end.
    private static let distances = 8

    /// Notes the time of a picture that is given.
    mutating func noteInput(at time: MediaTime) {
        if inputs.count > Self.distances { inputs.removeFirst() }
        inputs.append(time)
        guard let first = inputs.first, inputs.count > 2 else { return }
        let span = time - first
        meanDistance = MediaTime(value: max(span.value / Int64(inputs.count - 1), 1), timescale: span.timescale)
    }

    /// Seconds from picture to picture with which a source rests.
    private static let restingDistance = 0.5

    /// From picture to picture: the mean of the last distances, if that is less than `pace`.
    ///
    /// A source that rests, such as a screen, wakes without a word: then it is `awake`, as often as pictures are
    /// expected, as far as half of a limit has room for them. Room for one picture in five seconds alone would go to
    /// the first, and all of the next second be dropped.
    func step(pace: MediaTime, awake: MediaTime) -> MediaTime {
        let step = meanDistance.map { min($0, pace) } ?? pace
        return step.seconds < Self.restingDistance ? step : min(step, max(awake, coarseStep))
    }

    /// From picture to picture where half of each limit has room for them with the largest quantizer.
    private var coarseStep: MediaTime {
        let steps = watches.lazy.filter(\.isInForce).map { [sizes] watch in
            let room = max(watch.counter.limit.bytes / 2 - sizes.coarseSync, 1)
            return watch.counter.limit.seconds * Double(sizes.coarseOther) / Double(room)
        }
        return MediaTime(seconds: min(steps.max() ?? 0, 1), preferredTimescale: 1_000_000)
    }

    // MARK: - Counting

    /// Counts a picture that leaves, or is taken back by ``takeBack()``.
    mutating func hold(_ picture: Counted) { held.append(picture) }

    /// Lets the pictures leave that are held.
    mutating func release() {
        for picture in held { count(picture) }
        held.removeAll(keepingCapacity: true)
    }

    /// Counts the pictures no more that are held.
    mutating func takeBack() { held.removeAll(keepingCapacity: true) }

    /// Counts a picture that leaves, behind all that do.
    mutating func count(_ picture: Counted) {
        for index in watches.indices where watches[index].eras.contains(picture.era) {
            let worst = watches[index].counter.worst
            watches[index].counter.add(bytes: picture.bytes, at: picture.time)
            if watches[index].counter.worst != worst { hasNewPeaks = true }
        }
    }

    /// Learns that a picture, which the library chose a quantizer for, is not let go at its decode time.
    mutating func noteBreach(at time: MediaTime) {
        let longest = watches.filter(\.isInForce).map(\.counter.limit.seconds).max() ?? 0
        trust.noteBreach(at: time, window: longest)
    }

    /// Learns what a picture took.
    mutating func note(_ sample: CoarseSizes.Sample) { sizes.note(sample) }

    // MARK: - Room

    /// Bytes that share a window with a picture of `time`.
    private func bytes(_ watch: Watch, sharedWith time: MediaTime) -> Int {
        var bytes = watch.counter.bytes(sharedWith: time)
        for picture in held where !watch.hasNone(picture, sharedWith: time) { bytes += picture.bytes }
        return bytes
    }

    /// The most bytes that no window forbids a picture of an era at its decode time.
    func room(in era: Int, at time: MediaTime) -> Int {
        var room = Int.max
        for watch in watches where watch.eras.contains(era) {
            room = min(room, watch.counter.limit.bytes - bytes(watch, sharedWith: time))
        }
        return room
    }

    /// The most bytes that leave room behind as well, where pictures follow each other by `step`; may be less than 0.
    func allowance(in era: Int, at time: MediaTime, step: MediaTime) -> Int {
        var allowance = Int.max
        let (sync, other) = (sizes.coarseSync, sizes.coarseOther)
        for watch in watches where watch.eras.contains(era) {
            let limit = watch.counter.limit.bytes
            allowance = min(allowance, limit - bytes(watch, sharedWith: time))
            // The windows that end with the pictures after this one and share it: with the first, the second and
            // third, the fourth to seventh, and so on, each time as many pictures and as many bytes before them as
            // any of those windows has.
            let most = mostPictures(in: watch.counter.limit, step: step)
            var count = 1
            while count <= most {
                let end = time + MediaTime(value: step.value * Int64(count), timescale: step.timescale)
                guard !watch.counter.hasPassed(from: time, to: end) else { break }
                let others = min(2 * count - 1, most) - 1
                allowance = min(
                    allowance, limit - bytes(watch, sharedWith: end) - sync - others * other)
                count *= 2
            }
        }
        return allowance
    }

    /// Whether a picture with so many bytes leaves room behind; see ``allowance(in:at:step:)``.
    func allows(_ bytes: Int, in era: Int, at time: MediaTime, step: MediaTime) -> Bool {
        hasPlenty(for: bytes, in: era, step: step) || bytes <= allowance(in: era, at: time, step: step)
    }

    /// Whether a picture with so many bytes finds more than enough, as most do: no later window has more bytes before
    /// it, nor more pictures.
    func hasPlenty(for bytes: Int, in era: Int, step: MediaTime) -> Bool {
        let heldBytes = held.reduce(0) { $0 + $1.bytes }
        for watch in watches where watch.eras.contains(era) {
            let limit = watch.counter.limit
            let behind = sizes.coarseSync + mostPictures(in: limit, step: step) * sizes.coarseOther
            guard watch.counter.mostBytes + heldBytes + bytes + behind <= limit.bytes else { return false }
        }
        return true
    }

    /// As many pictures as a window holds that follow each other by `step`.
    private func mostPictures(in limit: DataRateLimit, step: MediaTime) -> Int {
        min(Int(limit.seconds / step.seconds) + 1, Self.mostPictures)
    }

    /// An hour of 300 pictures per second.
    private static let mostPictures = 1 << 20

    // MARK: - Decisions

    /// A picture that an encoder made.
    struct Coded {
        var era: Int
        var bytes: Int
        var isSync: Bool
        /// What it was coded with; nil where nothing tells.
        var quantizer: Double?
        /// The quantizer that the encoder was told to use; nil where it chose.
        var told: Int?
        /// How often it was encoded before.
        var attempts = 0
        /// Whether it can be encoded again.
        var isRepeatable = true
    }

    /// What becomes of a coded picture.
    enum Verdict: Equatable {
        case leaves
        /// It is encoded again, as a sync frame with this quantizer.
        case again(quantizer: Int)
        /// It does not fit with the coarsest quantizer.
        case drops
    }

    /// Attempts after which a picture gets the coarsest quantizer, and leaves where it fits at all.
    static let mostAttempts = 3

    /// What becomes of a coded picture at its decode time, where pictures follow each other by `step`.
    func verdict(on picture: Coded, at time: MediaTime, step: MediaTime) -> Verdict {
        if hasPlenty(for: picture.bytes, in: picture.era, step: step) { return .leaves }
        let room = room(in: picture.era, at: time)
        let isCoarsest = picture.told.map { $0 >= sizes.coarsest } ?? false
        if picture.bytes <= room {
            guard picture.isRepeatable, !isCoarsest, picture.attempts < Self.mostAttempts else {
                return .leaves
            }
            guard picture.bytes > sizes.coarseSync, !allows(picture.bytes, in: picture.era, at: time, step: step)
            else { return .leaves }
        }
        guard picture.isRepeatable else { return .drops }
        // A sync frame with that quantizer would take no less.
        if isCoarsest { return .drops }
        return .again(quantizer: quantizer(of: picture, for: allowance(in: picture.era, at: time, step: step)))
    }

    /// The quantizer with which a picture, as a sync frame, is thought to take at most so many bytes.
    private func quantizer(of picture: Coded, for allowance: Int) -> Int {
        guard picture.attempts + 1 < Self.mostAttempts, let quantizer = picture.quantizer else {
            return sizes.coarsest
        }
        var sample = CoarseSizes.Sample(bytes: picture.bytes, quantizer: quantizer)
        if !picture.isSync, let sync = sizes.sync {
            sample.bytes = max(sample.bytes, Int(sync.bytes(at: Int(quantizer))))
        }
        let least = picture.told.map { $0 + Self.leastStep } ?? 0
        return min(max(sample.quantizer(for: allowance / 5 * 4), least), sizes.coarsest)
    }

    /// Steps of the quantizer from one attempt to the next.
    private static let leastStep = 4

    /// The quantizer for a picture before it is encoded.
    ///
    /// - Parameters:
    ///   - era: In which the picture was given.
    ///   - time: Its decode time.
    ///   - step: From picture to picture.
    ///   - isSync: Whether it shall be a sync frame.
    ///   - inside: What pictures inside the encoder are thought to take; not asked for where there is plenty of room.
    ///   - bytesInside: All of that.
    /// - Returns: One where the room is too little for a picture like the last; nil where the encoder may choose, or
    ///   its bucket is believed to keep the limits.
    func quantizer(
        in era: Int, at time: MediaTime, step: MediaTime, isSync: Bool, inside: @autoclosure () -> [Counted],
        bytesInside: Int
    ) -> Int? {
        guard hasLimits, !trust.holds(at: time), let expected = isSync ? sizes.sync : sizes.usual ?? sizes.sync else {
            return nil
        }
        let wanted = expected.bytes + (isSync ? 0 : followers(of: expected, step: step))
        if hasPlenty(for: wanted + bytesInside, in: era, step: step) { return nil }
        if sizes.areOutdated, isHalfFree(in: era, at: time, besides: bytesInside) { return nil }
        var planner = self
        planner.held += inside()
        guard !planner.allows(wanted, in: era, at: time, step: step) else { return nil }
        func guess(_ planner: Self) -> Int {
            let allowance = planner.allowance(in: era, at: time, step: step)
            return expected.quantizer(for: Int(Double(allowance) * Double(expected.bytes) / Double(max(wanted, 1))))
        }
        // The encoder may have chosen a larger one by itself.
        let least = max(Int(expected.quantizer.rounded(.up)), sizes.largestQuantizer)
        let most = isSync ? max(guess(self), least + Self.mostGuessed) : sizes.coarsest
        return min(max(guess(planner), sizes.largestQuantizer), most, sizes.coarsest)
    }

    /// Whether windows have room for as much again as they carry.
    ///
    /// Then an encoder that was told quantizers for long may choose one again: where pictures of two in a second are
    /// followed by thirty, it would choose much less than it did.
    private func isHalfFree(in era: Int, at time: MediaTime, besides bytesInside: Int) -> Bool {
        watches.allSatisfy { watch in
            !watch.eras.contains(era)
                || 2 * (bytes(watch, sharedWith: time) + bytesInside) <= watch.counter.limit.bytes
        }
    }

    /// Steps of the quantizer that pictures inside the encoder may add to a sync frame's: where several are forced
    /// together they take less than is thought, and what is too large after all is encoded again.
    private static let mostGuessed = 6

    /// Bytes that shall find room after a picture, since what is left of a window is not for it alone.
    ///
    /// Two more of its size, or as many usual ones as the shortest window holds, where most are small. A sync frame
    /// needs none: the room has one besides.
    private func followers(of picture: CoarseSizes.Sample, step: MediaTime) -> Int {
        let shortest = watches.reduce(.infinity) { min($0, $1.counter.limit.seconds) }
        // Six at least: pictures may come denser than their pace says.
        let count = max(Int(min(shortest / step.seconds, Double(Self.mostPictures))), 6)
        return min(2 * picture.bytes, count * sizes.expected(at: nil, isSync: false))
    }
}
