// SPDX-License-Identifier: MIT

package import CommandOptions

/// Times encodes of scenes, one at a time, each in a process of its own.
package struct SceneTiming: Sendable {
    /// Has the scenes, decoded.
    let clips: DecodedClips
    let interruption: OneShotEvent

    package init(clips: DecodedClips, interruption: OneShotEvent) {
        self.clips = clips
        self.interruption = interruption
    }

    /// How long encoding the whole clip takes with as many threads as the library chooses.
    ///
    /// - Parameters:
    ///   - points: The scenes with the setting in question.
    ///   - frames: Pictures of the whole.
    ///   - progress: Called with how many are done.
    /// - Returns: Nil after an interruption.
    /// - Throws: ``EncoderBenchError`` where a process fails, which has said why.
    package func encodeSeconds(
        of points: [PointSpec], frames: Int, progress: (_ done: Int) -> Void
    ) async throws -> SamplePrediction.Total? {
        var rates: [Double] = []
        for (done, point) in points.enumerated() {
            guard !interruption.hasHappened else { return nil }
            progress(done)
            var point = point
            point.work.settings["ThreadCount"] = nil
            let clip = await clips.clip(of: point)
            let times = try UnnamedFile()
            let sharing = SharedClips.Sharing(place: try clip?.place(timesIn: times))
            let alone = point
            let timed = try interruption.unlessSignalled {
                try withExtendedLifetime((clip, times)) { try TimedRun().resultAlone(of: alone, sharing: sharing) }
            }
            guard let timed, timed.frames > 0 else { return nil }
            rates.append(timed.wallSeconds / Double(timed.frames))
        }
        return SamplePrediction.Total(rates, frames: frames)
    }
}
