// SPDX-License-Identifier: MIT

import BundledClips
import CommandOptions
import EncoderAPI
import EncoderBench
import Glibc

/// The real clip that comes with the program.
enum BundledClip {
    /// Its file name.
    static let name = "bird_640x360_48f.mkv"

    /// What reports call it.
    static let title = "bundled clip \(name) (Big Buck Bunny)"

    /// Its path: in the resources beside the executable.
    ///
    /// - Throws: ``CommandFailure`` that says where it was looked for.
    static func path() throws(CommandFailure) -> String {
        let executable = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let count = readlink("/proc/self/exe", base, buffer.count)
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(max(count, 0)), as: UTF8.self)
        }
        if executable.isEmpty { throw CommandFailure("cannot find this program's own file (error \(errno))") }
        return try path(executable: executable)
    }

    /// The clip's path for an executable's.
    static func path(executable: String) throws(CommandFailure) -> String {
        let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let path = folder + "/" + String(cString: bundled_clips_folder()) + "/" + name
        guard access(path, R_OK) == 0 else {
            throw CommandFailure("the bundled clip is not at \(path); name an input instead")
        }
        return path
    }
}

extension BundledClip {
    /// A planner of inputs, or of this clip where there are none.
    static func planner(
        _ inputs: [String], _ planner: PointPlanner, codec: VideoCodec? = nil, interruption: OneShotEvent
    ) throws -> StudyPlanner {
        let bundled = inputs.isEmpty ? try path() : nil
        return StudyPlanner(
            inputs: bundled.map { [$0] } ?? inputs, planner: planner, codec: codec,
            describe: { clip, path in if path == bundled { clip = clip.asBundledClip() } },
            reason: { ($0 as? EncoderError)?.commandLineDescription ?? "\($0)" }, interruption: interruption)
    }
}

extension ClipFacts {
    /// The clip under its own name, known to be stored without loss although its codec usually is lossy.
    func asBundledClip() -> ClipFacts {
        var clip = self
        clip.name = BundledClip.title
        clip.isLossy = false
        return clip
    }
}
