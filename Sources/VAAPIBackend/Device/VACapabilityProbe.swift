// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// What a driver answers about one profile and entry point, as it came.
struct VAEntrypointAnswer: Sendable, Hashable {
    /// The profile asked about.
    var profile: VAProfile
    /// `VAEntrypointEncSlice` or `VAEntrypointEncSliceLP`.
    var entrypoint: VAEntrypoint
    /// Attribute words by `VAConfigAttribType`, those too that mean "not supported".
    var words: [VAConfigAttribType: UInt32]
    /// What surfaces for it may be.
    var surfaces = VASurfaceLimits()
}

/// What surfaces may be, by the driver's surface attributes; what it does not say is nil or empty.
struct VASurfaceLimits: Sendable, Hashable {
    var minWidth: Int?
    var minHeight: Int?
    var maxWidth: Int?
    var maxHeight: Int?
    /// The fourcc codes of pixel formats.
    var pixelFormats: Set<UInt32> = []
    /// The `VA_SURFACE_ATTRIB_MEM_TYPE_` bits of memory that surfaces can be made of.
    var memoryTypes: UInt32 = 0
}

/// Asks a driver what it encodes, and decides nothing.
struct VACapabilityProbe {
    private let display: VADisplayHandle
    private let attributes: [VAConfigAttribType]
    private var library: VALibrary { display.library }

    init(_ display: VADisplayHandle, attributes: [VAConfigAttribType] = Self.attributes) {
        self.display = display
        self.attributes = attributes
    }

    /// The profiles that are asked about.
    private static let profiles = [
        VAProfileH264ConstrainedBaseline, VAProfileH264Main, VAProfileH264High, VAProfileHEVCMain, VAProfileHEVCMain10,
    ]
    private static let entrypoints = [VAEntrypointEncSlice, VAEntrypointEncSliceLP]

    /// The attributes that encoders are made of.
    static let attributes = [
        VAConfigAttribRTFormat, VAConfigAttribRateControl, VAConfigAttribEncPackedHeaders,
        VAConfigAttribEncMaxRefFrames, VAConfigAttribMaxPictureWidth, VAConfigAttribMaxPictureHeight,
        VAConfigAttribEncQualityRange, VAConfigAttribPredictionDirection, VAConfigAttribEncHEVCFeatures,
        VAConfigAttribEncHEVCBlockSizes, VAConfigAttribEncMaxSlices, VAConfigAttribEncSliceStructure,
        VAConfigAttribEncROI,
    ]

    /// One answer for each of the profiles' entry points that encodes; none where the driver only decodes.
    ///
    /// - Throws: ``EncoderError`` when a question that every driver must answer fails.
    func answers() throws(EncoderError) -> [VAEntrypointAnswer] {
        let offered = try queriedProfiles()
        var answers: [VAEntrypointAnswer] = []
        for profile in Self.profiles where offered.contains(profile) {
            let entrypoints = try queriedEntrypoints(of: profile)
            for entrypoint in Self.entrypoints where entrypoints.contains(entrypoint) {
                let words = try words(of: profile, entrypoint)
                var answer = VAEntrypointAnswer(profile: profile, entrypoint: entrypoint, words: words)
                answer.surfaces = surfaceLimits(of: answer)
                answers.append(answer)
            }
        }
        return answers
    }

    private func queriedProfiles() throws(EncoderError) -> [VAProfile] {
        var count: Int32 = 0
        var list = [VAProfile](repeating: VAProfileNone, count: Int(library.call.vaMaxNumProfiles(display.raw)))
        let status = library.status { $0.vaQueryConfigProfiles(display.raw, &list, &count) }
        try library.check(status, "vaQueryConfigProfiles")
        return Array(list.prefix(Int(count)))
    }

    private func queriedEntrypoints(of profile: VAProfile) throws(EncoderError) -> [VAEntrypoint] {
        var count: Int32 = 0
        let most = Int(library.call.vaMaxNumEntrypoints(display.raw))
        var list = [VAEntrypoint](repeating: VAEntrypointVLD, count: most)
        let status = library.status { $0.vaQueryConfigEntrypoints(display.raw, profile, &list, &count) }
        try library.check(status, "vaQueryConfigEntrypoints")
        return Array(list.prefix(Int(count)))
    }

    private func words(
        of profile: VAProfile, _ entrypoint: VAEntrypoint
    ) throws(EncoderError) -> [VAConfigAttribType: UInt32] {
        var list = attributes.map { VAConfigAttrib(type: $0, value: UInt32(VA_ATTRIB_NOT_SUPPORTED)) }
        let status = library.status {
            $0.vaGetConfigAttributes(display.raw, profile, entrypoint, &list, Int32(list.count))
        }
        try library.check(status, "vaGetConfigAttributes")
        return Dictionary(uniqueKeysWithValues: list.map { ($0.type, $0.value) })
    }

    /// Nothing where the driver refuses: sizes then follow from the attribute words alone.
    private func surfaceLimits(of answer: VAEntrypointAnswer) -> VASurfaceLimits {
        var config = VA_INVALID_ID
        var status = library.status {
            $0.vaCreateConfig(display.raw, answer.profile, answer.entrypoint, nil, 0, &config)
        }
        guard status == VA_STATUS_SUCCESS else { return VASurfaceLimits() }
        defer { _ = library.status { $0.vaDestroyConfig(display.raw, config) } }
        var count: UInt32 = 0
        status = library.status { $0.vaQuerySurfaceAttributes(display.raw, config, nil, &count) }
        guard status == VA_STATUS_SUCCESS else { return VASurfaceLimits() }
        var list = [VASurfaceAttrib](repeating: VASurfaceAttrib(), count: Int(count))
        status = library.status { $0.vaQuerySurfaceAttributes(display.raw, config, &list, &count) }
        guard status == VA_STATUS_SUCCESS else { return VASurfaceLimits() }
        return VASurfaceLimits(list.prefix(Int(count)))
    }
}

extension VASurfaceLimits {
    /// Reads a driver's list.
    init(_ attributes: some Sequence<VASurfaceAttrib>) {
        for attribute in attributes where attribute.value.type == VAGenericValueTypeInteger {
            let value = attribute.value.value.i
            switch attribute.type {
            case VASurfaceAttribMinWidth: minWidth = Int(value)
            case VASurfaceAttribMinHeight: minHeight = Int(value)
            case VASurfaceAttribMaxWidth: maxWidth = Int(value)
            case VASurfaceAttribMaxHeight: maxHeight = Int(value)
            case VASurfaceAttribPixelFormat: pixelFormats.insert(UInt32(bitPattern: value))
            case VASurfaceAttribMemoryType: memoryTypes |= UInt32(bitPattern: value)
            default: break
            }
        }
    }
}
