// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Glibc
import Synchronization

/// One thing that goes into a back end, comes out of it or is used by it and is not what it was, from the nth call of
/// its kind on: drawn at random, so that an exam that finds most of them needs no list of the lies it finds.
struct Perturbation: Sendable, CustomStringConvertible {
    /// What is changed.
    enum Kind: String, CaseIterable, Sendable {
        // Settings that the library is opened or updated with.
        case color, pixelAspectRatio, entropyMode, level, keyFrameInterval, openGOP, reordering, realTime, delayLimit
        case preset, tune, nativeOptions, rate, buffer, smallestQuantizer, largestQuantizer, frameRate, firstSize
        // What goes in.
        case forcedKeyFrame, staleSamples, stretchedTicks, lostPicture
        // What comes out.
        case pictureID, pictureType, isReference, isRecoveryPoint, averageQP, flippedBit, missingUnit, repeatedUnit
        case droppedFrame, lostFrame, repeatedFrame, cutUnit, addedUnit
        // What is answered and told.
        case ignoredUpdate, falseEffect, lostAtFlush, flushOutcome, reorderDepth, maximumDelay, adjustments
        case parameterSets, refusedCheck, acceptedCheck
        // What is used; a picture may take whatever time the library wants.
        case keptPicture, leakedThread, leakedMemory, slowCheck, slowOpening, slowClosing
    }

    let kind: Kind
    /// How many calls of the kind are as they should be before the first that is not.
    let honestCalls: Int
    /// Whether the calls of open encoders are counted in each, or in all of a back end's together; its own calls are
    /// always counted together.
    let isPerEncoder: Bool
    let seed: UInt64

    var description: String {
        "\(kind) from call \(honestCalls) on\(isPerEncoder ? " of each encoder" : ""), draw \(seed)"
    }

    /// Draws one of some kinds.
    init(seed: UInt64, of kinds: [Kind]) {
        var random = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        self.seed = seed
        kind = kinds[Int(random.next() % UInt64(kinds.count))]
        isPerEncoder = random.next() % 2 == 0
        let most: [Int] = [0, 1, 2, 3, 4, 6, 10, 20, 60, 120]
        // Encoders, checks and updates are fewer than pictures.
        honestCalls = most[Int(random.next() % (kind.isFrequent ? 10 : 5))]
    }

    /// Counts calls, and notes whether any was changed.
    final class Counter: Sendable {
        private let state = Mutex((calls: 0, changes: 0))

        /// Counts a call; whether it is one after the honest ones.
        func isDue(after honest: Int) -> Bool {
            state.withLock { state in
                state.calls += 1
                return state.calls > honest
            }
        }

        /// Notes that a call was changed.
        func noteChange() { state.withLock { $0.changes += 1 } }

        var changes: Int { state.withLock { $0.changes } }
    }
}

extension Perturbation.Kind {
    /// Whether there is a call for each picture.
    fileprivate var isFrequent: Bool {
        switch self {
        case .staleSamples, .stretchedTicks, .lostPicture, .pictureID, .pictureType, .isReference,
            .isRecoveryPoint, .averageQP, .flippedBit, .missingUnit, .repeatedUnit, .droppedFrame, .lostFrame,
            .repeatedFrame, .cutUnit, .addedUnit, .keptPicture:
            true
        default: false
        }
    }
}

extension Perturbation {
    /// The settings that the library gets in place of those asked for; nil where there is nothing to change.
    func changed(_ settings: ResolvedSettings, first: ResolvedSettings) -> ResolvedSettings? {
        var told = settings
        switch kind {
        case .color: told.request.color = settings.request.color == nil ? .bt709 : nil
        case .pixelAspectRatio: told.request.pixelAspectRatio = nil
        case .entropyMode:
            told.request.h264EntropyMode = settings.request.h264EntropyMode.map { $0 == .cavlc ? .cabac : .cavlc }
        case .level: told.plan.level = nil
        case .keyFrameInterval: told.live.asked.maxKeyFrameInterval = nil
        case .openGOP: told.request.allowOpenGOP.toggle()
        case .reordering: told.plan.allowFrameReordering = true
        case .realTime: told.request.realTime = false
        case .delayLimit: told.request.maxFrameDelayCount = nil
        case .preset: told.request.preset = nil
        case .tune: told.request.tune = nil
        case .nativeOptions: told.request.nativeOptions = []
        case .rate:
            guard let rate = settings.live.rate.control.bitsPerSecond else { return nil }
            told.live.rate.control.bitsPerSecond = rate * 2
            told.live.rate.buffer?.peakBitsPerSecond *= 2
            told.live.rate.buffer?.bits *= 2
        case .buffer: told.live.rate.buffer = nil
        case .smallestQuantizer: told.live.asked.minAllowedFrameQP = nil
        case .largestQuantizer: told.live.asked.maxAllowedFrameQP = nil
        case .frameRate: told.plan.frameRate = FrameRate(numerator: 1)
        case .firstSize: told.picture = first.picture
        default: return nil
        }
        return told == settings ? nil : told
    }

    /// What an encoder that waits does.
    func stall() { usleep(700_000) }
}
