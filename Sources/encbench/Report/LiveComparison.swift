// SPDX-License-Identifier: MIT

import BenchReports
import CommandOptions
import EncoderBench
import MediaFiles
import PictureQuality
import Synchronization

/// Shows a comparison while it comes about: each point of the report as soon as all before it are known, and a bar.
final class LiveComparison: Sendable {
    fileprivate struct State {
        var measurements: Measurements
        /// The clip that is being shown, and how many of its points were; nil before its first.
        var clip = 0
        var shownPoints: Int?
        var shownClips = 0
        var bar = ProgressBar(plainInterval: 10)
        var framesDone = 0
        /// Frames of each clip as far as they are known.
        var clipFrames: [Int?]
        /// Frames of points that were found in a store or failed: nothing to wait for.
        var framesSpared = 0
        /// Frames of points that are being encoded.
        var running: [PointSpec: Int] = [:]
        /// Why the report could not be shown.
        var failure: (any Error)?
    }

    private let text: ComparisonText?
    private let state: Mutex<State>
    private let write: @Sendable (String) throws -> Void

    /// Starts with nothing shown.
    ///
    /// - Parameters:
    ///   - study: What is compared.
    ///   - text: How to show it; nil shows the bar alone.
    ///   - write: Where the text goes.
    init(study: Study, text: ComparisonText?, write: @escaping @Sendable (String) throws -> Void) {
        self.text = text
        self.write = write
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
                show(&state)
            case .failed(let points, let error):
                for point in points { state.measurements.failures[point] = "\(error)" }
                state.settle(points[0])
                show(&state)
            }
            state.drawBar()
        }
    }

    /// Shows the rest.
    ///
    /// - Returns: The whole report.
    /// - Throws: Why it could not be shown.
    func finish(isInterrupted: Bool) throws -> ComparisonReport {
        try state.withLock { state in
            while state.clip < state.measurements.study.clips.count { showClip(&state, isOver: true) }
            let report = state.measurements.report(isInterrupted: isInterrupted)
            if let text, !report.clips.isEmpty { emit(text.ending(report), &state) }
            state.bar.clear()
            if let failure = state.failure { throw failure }
            return report
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

    private func show(_ state: inout State) {
        while state.clip < state.measurements.study.clips.count {
            let before = state.clip
            showClip(&state, isOver: false)
            if state.clip == before { return }
        }
    }

    /// Shows what is new of the current clip, and goes to the next when nothing more is to come.
    private func showClip(_ state: inout State, isOver: Bool) {
        let points = state.measurements.study.points(ofClip: state.clip)
        func isSettled(_ point: PointSpec) -> Bool {
            isOver || state.measurements.results[point] != nil || state.measurements.failures[point] != nil
        }
        let known = points.prefix(while: isSettled)
        let isComplete = known.count == points.count
        let count = known.count { state.measurements.results[$0] != nil }
        guard count > state.shownPoints ?? 0 || isComplete else { return }
        if let text, count > 0, let clip = state.measurements.clip(state.clip) {
            if state.shownPoints == nil {
                emit((state.shownClips > 0 ? "\n" : "") + text.opening(clip), &state)
                state.shownClips += 1
            }
            for point in clip.points.prefix(count).dropFirst(state.shownPoints ?? 0) { emit(text.row(point), &state) }
            state.shownPoints = count
            if isComplete { emit(text.closing(clip), &state) }
        }
        guard isComplete else { return }
        state.clip += 1
        state.shownPoints = nil
    }

    private func emit(_ text: String, _ state: inout State) {
        state.bar.clear()
        do {
            try write(text)
        } catch {
            state.failure = state.failure ?? error
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
