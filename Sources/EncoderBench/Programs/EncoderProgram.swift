// SPDX-License-Identifier: MIT

package import EncoderAPI

/// A library's own program: how it is told what a session does.
///
/// A program is one file with a constant, which `EncoderKind+Comparison.swift` names. All take `--output-depth`,
/// `--fps`, `-o`, and a Y4M file as the last word.
package struct EncoderProgram: Sendable {
    /// Pictures that are to be encoded.
    package struct Pictures: Sendable {
        package var width: Int
        package var height: Int
        package var bitDepth: Int
    }

    /// What it is called by.
    package let name: String
    package let codec: VideoCodec
    /// What makes it say nothing but errors.
    package let quiet: [String]
    /// Its options with the same settings, without input and output; nil where it has no words for one of the
    /// library's options.
    let options: @Sendable (ResolvedSettings) -> [String]?
    /// What keeps it from the same stream of such pictures, as said behind its name; nil where nothing does.
    let obstacle: @Sendable (Pictures, ResolvedSettings) -> String?

    /// The file that its stream goes to.
    package var output: String { codec == .hevc ? "out.hevc" : "out.264" }
}

extension EncoderProgram {
    /// Options that all programs have; `constantRate` is what the library is told where that is less than what is
    /// asked for, in units of 1000 bit/s.
    static func common(
        _ settings: ResolvedSettings, _ options: ProgramOption, constantRate: Int? = nil
    ) -> [String]? {
        guard let native = options.words(settings.request.nativeOptions) else { return nil }
        var words: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { words += ["--" + name, value] }
        }
        add("preset", settings.request.preset)
        add("tune", settings.request.tune)
        switch settings.live.rate.control {
        case .constantRateFactor, .constantQuantizer:
            words += ("--" + settings.live.rate.control.label).split(separator: " ").map(String.init)
        case .averageBitRate(let bitsPerSecond), .constantBitRate(let bitsPerSecond),
            .variableBitRate(let bitsPerSecond):
            add("bitrate", "\(constantRate ?? bitsPerSecond / 1000)")
        case .automatic, .quality: break
        }
        if let buffer = settings.live.rate.buffer {
            add("vbv-maxrate", "\(constantRate ?? buffer.peakBitsPerSecond / 1000)")
            add("vbv-bufsize", "\(buffer.bits / 1000)")
        }
        add("vbv-init", settings.live.asked.vbvInitialDelayPercentage.map { "\($0 / 100)" })
        add("keyint", settings.live.asked.maxKeyFrameInterval.map(String.init))
        if !settings.plan.allowFrameReordering { add("bframes", "0") }
        add("qpmin", settings.live.asked.minAllowedFrameQP.map(String.init))
        add("qpmax", settings.live.asked.maxAllowedFrameQP.map(String.init))
        return words + native
    }
}
