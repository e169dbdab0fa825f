// SPDX-License-Identifier: MIT

import CX265
package import EncoderAPI

extension X265Backend {
    /// Options that the `x265` program needs to do what a session does, besides those that the settings name: what the
    /// back end changes of the preset because of the pictures' size or of a limit.
    ///
    /// - Parameter settings: Those in force.
    /// - Returns: Words of a command line; none where libx265 has no build for the bit depth.
    package static func programOptions(_ settings: ResolvedSettings) -> [String] {
        let names = X265Parameters.presetAndTune(settings.request)
        guard let library = try? X265Library(bitDepth: settings.picture.bitDepth),
            let preset = try? X265ParameterBlock(library: library, preset: names.preset, tune: names.tune)
        else { return [] }
        let before = preset.pointer.pointee
        var after = before
        guard (try? X265Parameters.apply(settings, to: &after, untuned: before)) != nil else { return [] }
        let numbers: [(name: String, before: UInt32, after: UInt32)] = [
            ("ctu", before.maxCUSize, after.maxCUSize), ("min-cu-size", before.minCUSize, after.minCUSize),
            ("tu-intra-depth", before.tuQTMaxIntraDepth, after.tuQTMaxIntraDepth),
            ("tu-inter-depth", before.tuQTMaxInterDepth, after.tuQTMaxInterDepth),
        ]
        let switches: [(name: String, before: Int32, after: Int32)] = [
            ("cutree", before.rc.cuTree, after.rc.cuTree), ("wpp", before.bEnableWavefront, after.bEnableWavefront),
        ]
        return numbers.filter { $0.before != $0.after }.flatMap { ["--" + $0.name, "\($0.after)"] }
            + switches.filter { $0.before != 0 && $0.after == 0 }.map { "--no-" + $0.name }
    }
}
