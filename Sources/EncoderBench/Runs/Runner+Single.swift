// SPDX-License-Identifier: MIT

import PictureQuality
import Synchronization

extension Runner {
    /// Does one point that no study has, or finds it in the store.
    ///
    /// - Parameters:
    ///   - point: Of the first clip and variant, as a planner makes it.
    ///   - variant: Its variant.
    ///   - clip: Its clip.
    /// - Returns: The result; nil when it was interrupted.
    /// - Throws: What made the point fail.
    package func result(of point: PointSpec, variant: Variant, clip: ClipFacts) async throws -> Kept? {
        var study = Study(variants: [variant], pairs: [], metrics: point.work.metrics.map(\.name))
        study.clips = [clip]
        study.points = [point]
        let found = Mutex<Result<Kept, any Error>?>(nil)
        await run(study) { event in
            switch event {
            case .frame: break
            case .finished(_, let result): found.withLock { $0 = .success(result) }
            case .failed(_, let error): found.withLock { $0 = .failure(error) }
            }
        }
        return try found.withLock { $0 }?.get()
    }
}
