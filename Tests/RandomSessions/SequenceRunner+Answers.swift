// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// Calls that do not wait, whose answer comes once.
extension SequenceRunner {
    /// Makes a call and waits for its answer.
    func performAnswered(_ operation: Operation, _ session: CompressionSession) async {
        let count = Atomic(0)
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result, Never>) in
            let answer: @Sendable (Result) -> Void = { [self] result in
                if count.add(1, ordering: .relaxed).newValue == 1 { return continuation.resume(returning: result) }
                notes.withLock { $0.complaints.append("\(operation) was answered again: \(result)") }
            }
            do throws(EncoderError) {
                try call(operation, session, answer)
            } catch {
                answer(.failed(error.code))
            }
        }
        settle(operation, result, wasCancelled: false)
    }

    private func call(
        _ operation: Operation, _ session: CompressionSession, _ answer: @escaping @Sendable (Result) -> Void
    ) throws(EncoderError) {
        let calls = session.synchronous
        switch operation {
        case .update(let change):
            try calls.update({ change.apply(to: &$0, coarse: coarseMode) }, whenDone: { answer(self.result($0)) })
        case .resize(let size):
            try calls.changePictures(width: size.sides.width, height: size.sides.height) { answer(self.result($0)) }
        case .recolor(let color):
            let pool = session.pixelBufferPool
            try calls.changePictures(width: pool.width, height: pool.height, color: color.meaning) {
                answer(self.result($0))
            }
        case .complete(let time):
            calls.complete(through: time.map(Self.time), until: milestone) { answer(Self.result($0)) }
        default: calls.finish(until: milestone) { answer(Self.result($0)) }
        }
    }

    private func result(_ answer: Swift.Result<UpdateOutcome, EncoderError>) -> Result {
        switch answer {
        case .success(let outcome): result(of: outcome)
        case .failure(let error): .failed(error.code)
        }
    }

    private static func result(_ answer: Swift.Result<Void, EncoderError>) -> Result {
        switch answer {
        case .success: .done
        case .failure(let error): .failed(error.code)
        }
    }
}
