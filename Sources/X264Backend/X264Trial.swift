// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Logging

/// What native options make of an encoder, found by opening one for a moment: milliseconds, and nothing is held.
enum X264Trial {
    /// Refuses native options with which libx264 does not open, or holds more pictures than may be held; opens nothing
    /// where there are none.
    ///
    /// - Throws: ``EncoderError`` that names the option at fault, and its legal range or what it contradicts.
    static func check(_ settings: ResolvedSettings) throws(EncoderError) {
        guard !settings.request.nativeOptions.isEmpty else { return }
        try explained(settings) { () throws(EncoderError) in try open(settings) }
    }

    /// Does what may fail because of native options, and says which.
    static func explained<Value: ~Copyable>(
        _ settings: ResolvedSettings, _ work: () throws(EncoderError) -> Value
    ) throws(EncoderError) -> Value {
        do throws(EncoderError) {
            return try work()
        } catch {
            throw OptionTrial(settings, library: "libx264", open: open).explanation(of: error)
        }
    }

    private static func open(_ settings: ResolvedSettings) throws(EncoderError) {
        let silent = Logger(label: "x264") { _ in SwiftLogNoOpLogHandler() }
        let handle = try X264Handle(opening: X264Parameters(settings), logger: silent)
        _ = try settings.request.checkDelay(
            of: handle.maximumDelayedFrames, heldBy: X264Latency(preset: handle.parameters).held)
    }
}
