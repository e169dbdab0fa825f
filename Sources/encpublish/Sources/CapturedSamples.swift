// SPDX-License-Identifier: MIT

import Capture
import Publishing
import Synchronization

/// Sound that may not have come yet.
protocol LiveSoundSource: SoundSource {
    /// Whether no block follows; where ``SoundSource/next()`` gives nil before, there is none yet.
    var isOver: Bool { get }
}

/// Sound of a card or a graph, as far as it has come.
///
/// When the sound server goes away, pictures go on without sound.
struct CapturedSamples: LiveSoundSource {
    let capture: SoundCapture
    private let failure: SoundFailure
    private(set) var isOver = false

    /// Takes over a capture that is open.
    ///
    /// - Parameters:
    ///   - capture: The sound.
    ///   - failure: Is told what ends it.
    init(_ capture: SoundCapture, failure: SoundFailure) { (self.capture, self.failure) = (capture, failure) }

    mutating func next() throws(PublishingError) -> SoundBlock? {
        guard !isOver else { return nil }
        let found: SoundCapture.Found
        do throws(CaptureError) {
            found = try capture.poll()
        } catch {
            isOver = true
            failure.tell(error)
            return nil
        }
        switch found {
        case .sound(let sound):
            return try SoundBlock(
                samples: sound.samples.map { $0.isFinite ? $0 : 0 }, channelCount: sound.channelCount,
                sampleRate: sound.sampleRate, time: sound.time)
        case .nothing: return nil
        case .over:
            isOver = true
            return nil
        }
    }
}

/// What ended captured sound, told once.
final class SoundFailure: Sendable {
    private let error = Mutex<CaptureError?>(nil)
    private let tellPerson: @Sendable (String) -> Void

    /// - Parameter tell: Tells a person, on whatever thread.
    init(tell: @escaping @Sendable (String) -> Void) { tellPerson = tell }

    /// What ended it; nil as long as nothing did.
    var reason: CaptureError? { error.withLock { $0 } }

    func tell(_ error: CaptureError) {
        self.error.withLock { $0 = error }
        tellPerson("\(error); the pictures go on without sound")
    }
}
