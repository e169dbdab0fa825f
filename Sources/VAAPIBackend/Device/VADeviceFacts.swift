// SPDX-License-Identifier: MIT

import CVA
public import EncoderAPI

/// What a driver says of itself and of what it encodes, as it came: for people who look for a fault.
public struct VADeviceFacts: Sendable, Hashable {
    /// One profile at one entry point that encodes.
    public struct EntryPoint: Sendable, Hashable {
        /// The profile's name in libva without its prefix, such as "H264High" or "HEVCMain10".
        public let profile: String
        /// What it encodes to.
        public let codec: VideoCodec
        /// Whether it is `VAEntrypointEncSliceLP`, which some chips have beside or instead of `VAEntrypointEncSlice`.
        public let isLowPower: Bool
        /// Names of rate control modes, such as "CQP" and "VBR".
        public let rateControls: [String]
        /// Names of headers that the driver takes ready-made, such as "sequence".
        public let packedHeaders: [String]
        /// Smallest and largest width; nil where the answers contradict each other or name no 4:2:0.
        public let widths: ClosedRange<Int>?
        /// Smallest and largest height; nil as ``widths``.
        public let heights: ClosedRange<Int>?
        /// Most entries of a P picture's list; 0 where ``widths`` is nil.
        public let maxReferences: Int
        /// Whether there are B pictures that are predicted from later ones; false where ``widths`` is nil.
        public let hasFutureReferences: Bool
        /// Fourcc codes of surfaces, such as "NV12".
        public let pixelFormats: [String]
        /// Attribute words by name, without those that the driver does not have.
        public let attributes: [String: UInt32]
    }

    /// What the driver calls itself.
    public let driver: String
    /// Version of VA-API that the library has, such as "1.17"; nil for a display of the program's.
    public let interface: String?
    /// Whether the driver is used only for devices that the program names, because some of its builds abort.
    public let isUsedOnlyByName: Bool
    /// H.264 before HEVC, smaller profiles before larger ones; empty where the driver only decodes.
    public let entryPoints: [EntryPoint]

    init(_ display: VADisplayHandle) throws(EncoderError) {
        let quirks = VAQuirks(ofDriver: display.driver)
        let all = (0..<VAConfigAttribTypeMax.rawValue).map { VAConfigAttribType(rawValue: $0) }
        let answers = try VACapabilityProbe(display, attributes: all).answers()
        driver = display.driver
        interface = display.interface
        isUsedOnlyByName = quirks.contains(.abortsInSomeBuilds)
        entryPoints = answers.map { EntryPoint($0, quirks: quirks, library: display.library) }
    }
}

extension VADeviceFacts.EntryPoint {
    fileprivate init(_ answer: VAEntrypointAnswer, quirks: VAQuirks, library: VALibrary) {
        let traits = VAEncodeTraits(answer, quirks: quirks)
        let supported = answer.words.filter { $0.value & UInt32(VA_ATTRIB_NOT_SUPPORTED) == 0 }
        profile = Self.names[answer.profile] ?? "\(answer.profile.rawValue)"
        codec = answer.profile.codec
        isLowPower = answer.entrypoint == VAEntrypointEncSliceLP
        rateControls = Self.names(of: supported[VAConfigAttribRateControl], in: Self.modes)
        packedHeaders = Self.names(of: supported[VAConfigAttribEncPackedHeaders], in: Self.headers)
        widths = traits?.widths
        heights = traits?.heights
        maxReferences = traits?.maxReferencesL0 ?? 0
        hasFutureReferences = traits?.predictsFromFuture ?? false
        pixelFormats = answer.surfaces.pixelFormats.map(Self.text).sorted()
        attributes = Dictionary(
            supported.map { (library.name(of: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static let names = [
        VAProfileH264ConstrainedBaseline: "H264ConstrainedBaseline", VAProfileH264Main: "H264Main",
        VAProfileH264High: "H264High", VAProfileHEVCMain: "HEVCMain", VAProfileHEVCMain10: "HEVCMain10",
    ]
    private static let modes = [
        (VA_RC_CQP, "CQP"), (VA_RC_CBR, "CBR"), (VA_RC_VBR, "VBR"), (VA_RC_ICQ, "ICQ"), (VA_RC_QVBR, "QVBR"),
        (VA_RC_AVBR, "AVBR"), (VA_RC_VCM, "VCM"), (VA_RC_MB, "MB"), (VA_RC_PARALLEL, "parallel"),
        (VA_RC_TCBRC, "TCBRC"),
    ]
    private static let headers = [
        (VA_ENC_PACKED_HEADER_SEQUENCE, "sequence"), (VA_ENC_PACKED_HEADER_PICTURE, "picture"),
        (VA_ENC_PACKED_HEADER_SLICE, "slice"), (VA_ENC_PACKED_HEADER_MISC, "misc"),
        (VA_ENC_PACKED_HEADER_RAW_DATA, "raw"),
    ]

    private static func names(of word: UInt32?, in table: [(bit: Int32, name: String)]) -> [String] {
        table.filter { (word ?? 0) & UInt32($0.bit) != 0 }.map(\.name)
    }

    /// A fourcc code, whose first letter is the lowest byte.
    private static func text(_ fourcc: UInt32) -> String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> ($0 * 8)) }, as: UTF8.self)
    }
}

extension VALibrary {
    /// An attribute's name without its prefix; its number where the library has no name for it.
    fileprivate func name(of attribute: VAConfigAttribType) -> String {
        guard let text = call.vaConfigAttribTypeStr.flatMap({ $0(attribute) }).map({ String(cString: $0) }),
            text.hasPrefix("VAConfigAttrib")
        else { return "attribute \(attribute.rawValue)" }
        return String(text.dropFirst("VAConfigAttrib".count))
    }
}
