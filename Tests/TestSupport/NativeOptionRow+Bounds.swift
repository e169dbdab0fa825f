// SPDX-License-Identifier: MIT

public import EncoderAPI

extension NativeOptionRow {
    /// Options that x264 and x265 have alike, against bounds of the quantizer or of the bit rate; each says what it
    /// contradicts.
    public static let againstBounds = [
        NativeOptionRow("qpmax=20", "MinAllowedFrameQP 30 (quantizer)") { $0.live.minAllowedFrameQP = 30 },
        NativeOptionRow("qpmin=20", "MaxAllowedFrameQP 10 (quantizer)") { $0.live.maxAllowedFrameQP = 10 },
        NativeOptionRow("qpmin=40", "ConstantQuantizer 30 (quantizer)") { $0.live.constantQuantizer = 30 },
        NativeOptionRow("qpmax=20", "ConstantQuantizer 30 (quantizer)") { $0.live.constantQuantizer = 30 },
        NativeOptionRow("qpmin=40", "Quality 1.0") { $0.live.quality = 1 },
        NativeOptionRow("qpmin=40", "native option \"qpmax\" with \"20\"") {
            $0.nativeOptions = [NativeOption("qpmax", "20")]
        },
        NativeOptionRow("qp=30", "") { $0.nativeOptions = [NativeOption("qpmin", "40")] },
        NativeOptionRow("bitrate=9999999", "BitRateCeiling 600000 bit/s") { $0.bitRateCeiling = 600_000 },
        NativeOptionRow("bitrate=601", "BitRateCeiling 600000 bit/s") { $0.bitRateCeiling = 600_000 },
        NativeOptionRow("bitrate=9999", "ProfileLevel 2.1") { $0.profileLevel.level = 21 },
        NativeOptionRow("bitrate=9999", "DataRateLimits 50000/1.0") {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
        },
    ]

    /// Options that x264 and x265 have alike, within such bounds.
    public static let withinBounds = [
        NativeOptionRow("bitrate=600", "") { $0.bitRateCeiling = 600_000 },
        NativeOptionRow("qpmin=20", "") { $0.live.maxAllowedFrameQP = 20 },
        NativeOptionRow("vbv-bufsize=900", "") {
            $0.nativeOptions = [NativeOption("crf-max", "40"), NativeOption("vbv-maxrate", "900")]
        },
    ]

    /// Whether a session with these settings is refused because the option contradicts what the row says.
    public func isRefusedForContradiction(by backend: some ImmediateBackend, _ codec: VideoCodec) -> Bool {
        guard let error = refusal(by: backend, codec) else { return false }
        return error.code == .conflictingSettings && error.setting == .nativeOptions
            && error.reason.contains("contradicts \(says)")
    }
}
