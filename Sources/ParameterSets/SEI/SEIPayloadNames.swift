// SPDX-License-Identifier: MIT

/// The standards' names of SEI payloads (annex D of both).
public enum SEIPayloadNames {
    /// The name of a `payloadType`; nil for one that this library has no name for.
    public static func name(of payloadType: Int) -> String? { names[payloadType] }

    private static let names: [Int: String] = [
        0: "buffering_period", 1: "pic_timing", 2: "pan_scan_rect", 3: "filler_payload",
        4: "user_data_registered_itu_t_t35", 5: "user_data_unregistered", 6: "recovery_point",
        19: "film_grain_characteristics", 45: "frame_packing_arrangement", 47: "display_orientation",
        128: "structure_of_pictures_info", 129: "active_parameter_sets", 130: "decoding_unit_info",
        132: "decoded_picture_hash", 133: "scalable_nesting", 136: "time_code",
        137: "mastering_display_colour_volume", 144: "content_light_level_info",
        147: "alternative_transfer_characteristics",
    ]
}
