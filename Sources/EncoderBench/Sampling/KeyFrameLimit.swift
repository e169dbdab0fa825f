// SPDX-License-Identifier: MIT

import Glibc

/// How many pictures after a key frame an encoder begins with another at the latest, whatever the pictures are.
///
/// A film has such key frames, and scenes of it are mostly too short for one: their bits have to be added.
package struct KeyFrameLimit: Equatable, Sendable {
    /// Pictures from one key frame to the next at most; nil for no limit.
    package let frames: Int?

    package init(frames: Int?) { self.frames = frames.map { max(1, $0) } }

    /// What settings of a work say, or else what its encoder does unasked.
    ///
    /// - Parameters:
    ///   - work: An encode.
    ///   - framesPerSecond: Of its clip; nil leaves out limits in seconds.
    package init(of work: PointWork, framesPerSecond: Double?) {
        var limits = [work.settings["MaxKeyFrameInterval"].flatMap(Int.init)]
        if let seconds = work.settings["MaxKeyFrameIntervalDuration"].flatMap(Double.init), let framesPerSecond {
            let frames = (seconds * framesPerSecond).rounded(.up)
            limits.append(frames < 1e9 ? Int(frames) : nil)
        }
        var asked: Int??
        for option in work.nativeOptions {
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, ProgramOption.split(parts[0]).name == "keyint" else { continue }
            // "infinite" and -1 are no limit.
            asked = .some(Int(parts[1]).flatMap { $0 > 0 ? $0 : nil })
        }
        let known = limits.compactMap { $0 }
        let usual = known.isEmpty ? (try? work.kind)?.usualKeyFrameLimit : nil
        self.init(frames: (known + [asked ?? usual].compactMap { $0 }).min())
    }

    /// How often a picture is a key frame because the limit is reached.
    ///
    /// Key frames that pictures ask for, such as cuts, come at any time, and each of them puts the next limit off.
    ///
    /// - Parameter cuts: How often a picture is a key frame by itself, 0 or more.
    /// - Returns: For each picture behind the first, 0...1.
    func share(cuts: Double) -> Double {
        guard let frames else { return 0 }
        guard cuts > 0 else { return 1 / Double(frames) }
        let reached = exp(-cuts * Double(frames))
        return min(1, cuts * reached / (1 - reached))
    }
}
