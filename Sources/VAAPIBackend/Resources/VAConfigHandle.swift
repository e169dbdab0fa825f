// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Sole owner of one `VAConfigID`.
struct VAConfigHandle: ~Copyable {
    let id: VAConfigID
    private let display: VADisplayHandle

    /// Makes a configuration for encoding 4:2:0.
    ///
    /// - Parameters:
    ///   - display: Where it is made.
    ///   - profile: The profile.
    ///   - entrypoint: The entry point.
    ///   - bitDepth: Bits of each sample.
    ///   - mode: The `VA_RC_` bit of rate control.
    ///   - packedHeaders: The `VA_ENC_PACKED_HEADER_` bits of headers that will be given.
    /// - Throws: ``EncoderError`` as the driver refuses.
    init(
        _ display: VADisplayHandle, _ profile: VAProfile, _ entrypoint: VAEntrypoint, bitDepth: Int, mode: UInt32,
        packedHeaders: UInt32
    ) throws(EncoderError) {
        // Drivers compare any other attribute with their own word, and refuse what is not equal.
        var attributes = [
            VAConfigAttrib(
                type: VAConfigAttribRTFormat,
                value: UInt32(bitDepth == 10 ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420)),
            VAConfigAttrib(type: VAConfigAttribRateControl, value: mode),
        ]
        if packedHeaders != 0 {
            attributes.append(VAConfigAttrib(type: VAConfigAttribEncPackedHeaders, value: packedHeaders))
        }
        var id = VA_INVALID_ID
        let status = display.library.status {
            $0.vaCreateConfig(
                display.raw, profile, entrypoint, &attributes, Int32(attributes.count), &id)
        }
        try display.library.check(status, "vaCreateConfig")
        self.id = id
        self.display = display
    }

    deinit { _ = display.library.status { $0.vaDestroyConfig(display.raw, id) } }
}
