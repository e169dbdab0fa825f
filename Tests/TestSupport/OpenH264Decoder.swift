// SPDX-License-Identifier: MIT

import SoftVAHarness
public import Testing

/// Decodes H.264 with libopenh264, which shares no code with FFmpeg and reads no B slices.
public enum OpenH264Decoder {
    /// The pictures of an Annex B stream as I420, one behind the other.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: Nil where the decoder complains.
    public static func shown(_ stream: [UInt8]) -> [UInt8]? {
        var size = 0
        var state: Int32 = 0
        guard let shown = openh264_decode(stream, stream.count, &size, &state) else { return nil }
        defer { shown.deallocate() }
        return [UInt8](UnsafeBufferPointer(start: shown, count: size))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where libopenh264 is not installed.
    public static var requiresOpenH264Decoder: Self {
        let missing = openh264_missing().map { String(cString: $0) }
        return .enabled(if: missing == nil, "SKIPPED, needs \(missing ?? "")")
    }
}
