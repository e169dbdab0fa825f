// SPDX-License-Identifier: MIT

extension OperationSequence {
    /// A sequence that follows from the generator's state alone.
    ///
    /// - Parameters:
    ///   - generator: Where the choices come from.
    ///   - isRacing: Whether operations may run at the same time, be cancelled, or the reader stop.
    ///   - isPretended: Whether the encoder may leave out, lose and give up what it is given.
    ///   - changes: What updates may ask for.
    /// - Returns: The sequence, of 25 operations at most, and some with runs of frames besides.
    static func random(
        using generator: inout some RandomNumberGenerator, isRacing: Bool, isPretended: Bool,
        changes: [Operation.Change]
    ) -> OperationSequence {
        var maker = Maker(generator: generator, isRacing: isRacing, isPretended: isPretended, changes: changes)
        defer { generator = maker.generator }
        return maker.sequence()
    }

    private struct Maker<Generator: RandomNumberGenerator> {
        var generator: Generator
        let isRacing: Bool
        let isPretended: Bool
        var changes: [Operation.Change]
        private var time = 0
        private var hasDevice = false
        /// Whether pictures become key frames that no operation asks for.
        private var hasUnforcedKeyFrames = false
        private var losesLate = false
        private var isPaced = false
        private var changesOften = false
        private var mayFailToOpen = false
        /// How frames follow each other for a while.
        private var steps = Steps.usual

        /// Ticks from frame to frame.
        private enum Steps: CaseIterable {
            case usual
            /// Frames that come at once.
            case burst
            /// 60 frames in a second.
            case fast
            /// Fewer and fewer frames in a second.
            case slower
            /// Seconds between some frames.
            case pauses
        }

        init(generator: Generator, isRacing: Bool, isPretended: Bool, changes: [Operation.Change]) {
            self.generator = generator
            self.changes = changes
            self.isRacing = isRacing
            self.isPretended = isPretended
        }

        mutating func sequence() -> OperationSequence {
            let pretence = pretence()
            time = chance(4) ? -number(5000) : number(100)
            let hasLimits = pretence.limits != .never
            if hasLimits { changes += Operation.Change.limits }
            let runsFrames = (pretence.isPaced || hasLimits) && chance(2)
            // What changes late is seen only where not much else ends the frames before it.
            changesOften = !isPretended && chance(3)
            var operations: [Operation] = chance(2) ? [.read] : []
            hasDevice = pretence.depth > 0
            isPaced = pretence.isPaced
            mayFailToOpen = pretence.failingOpening != nil
            hasUnforcedKeyFrames = pretence.keyFrameInterval > 0 || pretence.updatesWithKeyFrame
            if pretence.isPaced, chance(3) {
                // All that follows comes long after the first.
                operations.append(.encode(frame()))
                time += 1200 + number(6000)
            }
            for _ in 0...number(24) {
                operations.append(operation())
                if runsFrames, chance(changesOften ? 3 : 6) { operations += run() }
            }
            return OperationSequence(pretence, operations)
        }

        private mutating func pretence() -> Pretence {
            var pretence = Pretence()
            pretence.delay = chance(2) ? 0 : number(4)
            pretence.reorders = chance(3)
            if isPretended {
                pretence.updatesLive = chance(2)
                pretence.updatesWithKeyFrame = pretence.updatesLive && chance(3)
                pretence.failsToDrain = chance(20)
                pretence.failingOpening = chance(20) ? number(3) : nil
                if chance(3) {
                    pretence.depth = 1 + number(4)
                    pretence.outlivesDraining = chance(2)
                    pretence.losingOutput = chance(8) ? number(20) : nil
                    pretence.losesLate = chance(4)
                }
                // Which of two ends comes first would depend on timing.
                losesLate = pretence.losingOutput != nil && pretence.losesLate
                if losesLate { (pretence.failsToDrain, pretence.failingOpening) = (false, nil) }
            }
            if isPretended, chance(4) { limit(&pretence) }
            pretence.isPaced = !isPretended || (pretence.limits == .never && chance(4))
            pretence.hasLowestTerms = pretence.isPaced && chance(2)
            pretence.isDeep = chance(3)
            pretence.maxFrameDelayCount = chance(4) ? pretence.delay + (pretence.reorders ? 1 : 0) + number(3) : nil
            pretence.keyFrameInterval = chance(4) ? 20 + number(100) : 0
            pretence.delivery = chance(2) ? .read : pick([.handled, .queued])
            pretence.ending = chance(6) ? pick([.invalidated, .released]) : .finished
            if !isPretended, chance(2) { pretence.statement = pick(Pretence.Statement.allCases) }
            return pretence
        }

        /// Has the session keep limits, with an encoder that all of it can be predicted or judged for.
        private mutating func limit(_ pretence: inout Pretence) {
            pretence.limits = pick([.dropped, .coarser])
            // How many encoders there are, and what comes out of which, depends on what is encoded again.
            (pretence.failingOpening, pretence.losingOutput, losesLate) = (nil, nil, false)
            // A frame rate is followed, which may drain an encoder at any time.
            pretence.failsToDrain = false
            guard pretence.limits == .dropped else { return }
            // The frame rate takes no other encoder then, and what is dropped shows with the next picture.
            (pretence.updatesLive, pretence.updatesWithKeyFrame) = (true, false)
            (pretence.depth, pretence.outlivesDraining, pretence.reorders) = (0, false, false)
        }

        /// Frames that follow each other in one way.
        private mutating func run() -> [Operation] {
            steps = pick(Steps.allCases)
            defer { steps = .usual }
            return (0..<8 + number(24)).map { _ in .encode(frame()) }
        }

        private mutating func operation() -> Operation {
            let plain = plainOperation()
            guard isRacing else { return plain }
            switch number(8) {
            case 0: return .cancelled(plain, after: number(6))
            case 1: return .together([plain] + (0...number(2)).map { _ in plainOperation() })
            default: return plain
            }
        }

        private mutating func plainOperation() -> Operation {
            let operation = asynchronousOperation()
            switch operation {
            // Nobody waits for one that fails, and the next goes from what it asked for until that shows.
            case .update where mayFailToOpen: return operation
            case .encode, .prepare: return chance(3) ? .synchronously(operation) : operation
            case .update, .complete, .finish:
                return chance(3) ? .synchronously(operation) : chance(3) ? .answered(operation) : operation
            case .resize, .recolor: return chance(3) ? .answered(operation) : operation
            default: return operation
            }
        }

        private mutating func asynchronousOperation() -> Operation {
            if changesOften, chance(5) { return .update(pick(changes)) }
            return switch number(100) {
            case 0..<58: .encode(frame())
            case 58..<68: .encodeImmediately(frame(mayForce: !hasDevice))
            // On a device it would show by chance which frame is lost.
            case 68..<70: hasDevice ? .prepare : .requestKeyFrame
            case 70..<75: .update(pick(changes))
            case 75..<77: .resize(pick(Operation.Size.allCases))
            case 77..<78: .recolor(pick(Operation.Color.allCases))
            case 78..<79: .prepare
            case 79..<86: .complete(through: chance(2) ? nil : time - number(60))
            case 86..<88: .finish
            case 88..<89: .invalidate
            case 89..<96: .read
            default: isRacing ? pick([.stopReading, .readTwice]) : .read
            }
        }

        private mutating func frame(mayForce: Bool = true) -> Operation.Frame {
            if chance(15) {
                return Operation.Frame(time - number(3))
            }
            time += step()
            let fate = fate()
            let picture = chance(12) ? pick(Operation.Picture.allCases) : .fine
            // What a refused picture asks for, the next one owes, which may be lost.
            let mayBeLost = hasDevice && (fate == .skipped || picture == .illegalSample)
            return Operation.Frame(time, picture, fate, force: chance(8) && !mayBeLost && mayForce)
        }

        private mutating func step() -> Int {
            switch steps {
            case .usual: 1 + (chance(10) ? number(isPaced ? 6000 : 400) : 19)
            case .burst: 1 + number(2)
            case .fast: 10
            case .slower: 20 + number(1 + abs(time) % 100)
            case .pauses: chance(4) ? 1200 + number(6000) : 20
            }
        }

        /// On a device no key frame is lost: which frame makes up for it depends on when that shows.
        private mutating func fate() -> Operation.Fate {
            guard isPretended, chance(8) else { return .coded }
            if chance(6) { return losesLate ? .coded : .failing }
            guard hasDevice else { return pick([.skipped, .tooLarge]) }
            return hasUnforcedKeyFrames ? .coded : .skipped
        }

        private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

        private mutating func chance(_ oneIn: Int) -> Bool { number(oneIn) == 0 }

        private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
    }
}
