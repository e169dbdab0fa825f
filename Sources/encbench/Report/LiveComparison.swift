// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import MediaFiles
import PictureQuality
import Synchronization

/// Follows a comparison while it comes about, with a bar: its answer comes first in the report, and is known last.
final class LiveComparison: Sendable {
    fileprivate struct State {
        var measurements: Measurements
        var bar = ProgressBar(plainInterval: 10)
        var framesDone = 0
        /// Frames of each clip as far as they are known.
        var clipFrames: [Int?]
        /// Frames of points that were found in a store or failed: nothing to wait for.
        var framesSpared = 0
        /// Frames of points that are being encoded.
        var running: [PointSpec: Int] = [:]
    }

    private let state: Mutex<State>

    /// Starts with nothing measured.
    init(study: Study) {
        state = Mutex(State(measurements: Measurements(study: study), clipFrames: study.clips.map(\.expectedFrames)))
    }

    /// Takes up what happened.
    func take(_ event: Runner<PointResult>.Event) {
        state.withLock { state in
            switch event {
            case .frame(let point):
                state.running[point, default: 0] += 1
                state.framesDone += 1
            case .finished(let points, let result):
                for point in points { state.measurements.results[point] = result }
                state.settle(points[0])
            case .failed(let points, let error):
                for point in points { state.measurements.failures[point] = "\(error)" }
                state.settle(points[0])
            }
            state.drawBar()
        }
    }

    /// Takes the bar away.
    ///
    /// - Returns: The whole report.
    func finish(isInterrupted: Bool) -> ComparisonReport {
        state.withLock { state in
            state.bar.clear()
            return state.measurements.report(isInterrupted: isInterrupted)
        }
    }

    /// What is known so far.
    var measurements: Measurements { state.withLock { $0.measurements } }

    /// Results there are, to be kept.
    var results: [PointResult] {
        state.withLock { state in
            var seen: Set<PointWork> = []
            return state.measurements.study.points.compactMap { state.measurements.results[$0] }.filter {
                seen.insert($0.work).inserted
            }
        }
    }
}

extension LiveComparison.State {
    /// Counts a point's frames as done.
    mutating func settle(_ point: PointSpec) {
        let frames = measurements.results[point]?.frames.count ?? clipFrames[point.clip]
        clipFrames[point.clip] = frames
        framesSpared += (frames ?? 0) - (running.removeValue(forKey: point) ?? 0)
    }

    /// Frames to encode; nil before one point of each clip is known.
    private var framesInAll: Int? {
        guard clipFrames.allSatisfy({ $0 != nil }) else { return nil }
        let planned = measurements.study.pieces.reduce(0) { $0 + (clipFrames[$1[0].clip] ?? 0) }
        return max(planned - framesSpared, framesDone)
    }

    mutating func drawBar() {
        let points = measurements.study.points.count
        let settled = measurements.results.count + measurements.failures.count
        guard settled < points else { return bar.clear() }
        guard bar.isDue else { return }
        bar.update(done: framesDone, total: framesInAll, label: "\(settled)/\(points) points")
    }
}
