// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import LibraryBackends

/// The library's own options by name, as the `x265` program spells them without the dashes.
enum X265Options {
    /// Parses options into `parameters`, in order.
    ///
    /// - Throws: ``EncoderError`` with `.invalidValue` that names the option, and the value where that is at fault.
    static func apply(
        _ options: [NativeOption], with live: LiveParameters, to parameters: borrowing X265ParameterBlock,
        library: X265Library
    ) throws(EncoderError) {
        try NativeOption.set(options, of: "x265", refusal: { refusal(of: $0, with: live) }) {
            (option) throws(EncoderError) in
            switch library.api.param_parse?(parameters.pointer, option.name, option.value) {
            case 0: .taken
            case nil, X265_PARAM_BAD_NAME: .unknown(status: X265_PARAM_BAD_NAME)
            case let status?: .refusesValue(status: status)
            }
        }
    }

    /// Why an option cannot be taken although libx265 has it; nil for all others.
    static func refusal(of option: NativeOption, with live: LiveParameters = LiveParameters()) -> String? {
        let name = canonicalName(option.name)
        if intervals.contains(name), let reason = NativeOption.intervalRefusal(live) { return reason }
        if let reason = reasons[name] { return reason }
        if name == "scaling-list", !["off", "default"].contains(option.value) {
            return "expected off or default: no file is read"
        }
        if name == "lookahead-threads", let value = option.value, value.contains("-") {
            return "\(value) crashes libx265, expected 0 or more"
        }
        // libx265 copies each of the three into five bytes without looking at the length.
        if name == "hme-search", let value = option.value,
            value.split(separator: ",", omittingEmptySubsequences: false).contains(where: { $0.utf8.count > 4 })
        {
            return "value \"\(value)\", expected three of dia, hex, umh, star, sea, full, or numbers"
        }
        return nil
    }

    /// The name as libx265 looks it up: without dashes before it, "-" for "_", without the prefix that negates.
    static func canonicalName(_ name: String) -> String {
        var rest = Substring(name.replacing("_", with: "-"))
        if rest.hasPrefix("--") { rest = rest.dropFirst(2) }
        if rest.hasPrefix("no-") { return String(rest.dropFirst(3)) }
        return String(rest.hasPrefix("no") ? rest.dropFirst(2) : rest)
    }

    /// Options that say where key frames are.
    private static let intervals: Set = ["keyint", "min-keyint", "intra-refresh"]

    private static let reasons: [String: String] = {
        let groups: [(names: [String], reason: String)] = [
            (["input-res", "input-csp", "interlace", "field"], "the session fixes what pictures look like"),
            (["fps", "total-frames"], "use expectedFrameRate or sourceFrameCount"),
            (["open-gop"], "use allowOpenGOP"),
            (["level-idc", "level"], "use profileLevel: libx265 crashes with levels that small pictures cannot have"),
            (["annexb", "repeat-headers", "info"], "the session frames the stream and places its headers"),
            (["log-level", "log", "cu-stats", "csv", "csv-log-level"], "libx265 has nowhere to write to"),
            (["psnr", "ssim"], "libx265 measures them for its own log only"),
            (["asm"], "it would change every encoder of the process"),
            (["frame-dup", "dup-threshold", "chunk-start", "chunk-end"], "it drops frames from the stream"),
            (["force-flush", "copy-pic", "ctu-info", "refine-ctu-distortion"], "it needs calls no session makes"),
            (
                [
                    "pass", "stats", "slow-firstpass", "multi-pass-opt-rps", "multi-pass-opt-analysis",
                    "multi-pass-opt-distortion", "vbv-live-multi-pass", "scenecut-aware-qp",
                ], "a session encodes once"
            ),
            (
                [
                    "analysis-save", "analysis-load", "analysis-reuse-file", "analysis-reuse-mode",
                    "analysis-reuse-level", "analysis-save-reuse-level", "analysis-load-reuse-level", "scale-factor",
                    "refine-intra", "refine-inter", "refine-mv", "refine-analysis-type", "dynamic-refine",
                ], "analysis data of another encode cannot be given"
            ),
            (["lambda-file", "nalu-file", "dhdr10-info", "dhdr10-opt", "zonefile"], "no file is read"),
            (["zones", "dolby-vision-profile", "uhd-bd"], "it needs more than a name and a value"),
            (["hist-scenecut", "hist-threshold"], "it reads planes as if their rows had no padding"),
            (["svt"], "this back end is libx265's own encoder"),
        ]
        return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.names.map { ($0, group.reason) } })
    }()
}
