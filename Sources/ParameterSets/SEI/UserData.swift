// SPDX-License-Identifier: MIT

/// `user_data_registered_itu_t_t35()`: bytes whose owner registered with the ITU (D.1.6 in H.264, D.2.6 in HEVC).
public struct UserDataRegistered: SyntaxStructure {
    /// `itu_t_t35_country_code`, 0...255: 0xB5 is the United States.
    public var countryCode = 0xB5
    /// `itu_t_t35_country_code_extension_byte`; only after country code 255.
    public var countryCodeExtension: Int?
    /// `itu_t_t35_payload_byte`: the provider's code and what it defines.
    public var payload: [UInt8] = []

    /// No bytes.
    public init() {}

    /// Makes user data of the United States.
    public init(payload: [UInt8]) {
        self.payload = payload
    }

    /// Codes the structure up to the end of its message.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("itu_t_t35_country_code", &countryCode, 8)
        try coder.u("itu_t_t35_country_code_extension_byte", &countryCodeExtension, 8, when: countryCode == 0xFF)
        try coder.bytes("itu_t_t35_payload_byte", &payload, count: coder.remainingBits / 8)
    }
}

/// `user_data_unregistered()`: bytes under a UUID (D.1.7 in H.264, D.2.7 in HEVC).
public struct UserDataUnregistered: SyntaxStructure {
    /// `uuid_iso_iec_11578`, 16 bytes.
    public var uuid = [UInt8](repeating: 0, count: 16)
    /// `user_data_payload_byte`.
    public var payload: [UInt8] = []

    /// No bytes under UUID 0.
    public init() {}

    /// Makes user data.
    ///
    /// - Parameters:
    ///   - uuid: 16 bytes.
    ///   - payload: Any bytes.
    public init(uuid: [UInt8], payload: [UInt8]) {
        self.uuid = uuid
        self.payload = payload
    }

    /// Codes the structure up to the end of its message.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        guard uuid.count == 16 else {
            throw coder.failure(
                .notRepresentable, "uuid_iso_iec_11578", "has \(uuid.count) bytes, expected 16")
        }
        try coder.bytes("uuid_iso_iec_11578", &uuid, count: 16)
        try coder.bytes("user_data_payload_byte", &payload, count: coder.remainingBits / 8)
    }
}
