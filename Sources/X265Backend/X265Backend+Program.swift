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
        guard let (before, after) = parameters(settings) else { return [] }
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

    /// The constant bit rate that libx265 is told, in units of 1000 bit/s; nil in other modes, and where libx265 has no
    /// build for the bit depth.
    package static func programConstantRate(_ settings: ResolvedSettings) -> Int? {
        guard settings.live.rate.control.isConstantBitRate else { return nil }
        return parameters(settings).map { Int($0.after.rc.bitrate) }
    }

    /// What preset and tune are, and what settings make of them.
    private static func parameters(_ settings: ResolvedSettings) -> (before: x265_param, after: x265_param)? {
        let names = X265Parameters.presetAndTune(settings.request)
        guard let library = try? X265Library(bitDepth: settings.picture.bitDepth),
            let preset = try? X265ParameterBlock(library: library, preset: names.preset, tune: names.tune)
        else { return nil }
        let before = preset.pointer.pointee
        var after = before
        guard (try? X265Parameters.apply(settings, to: &after, untuned: before)) != nil else { return nil }
        return (before, after)
    }
}
