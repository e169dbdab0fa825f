// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// One encoder of a device: a codec through an entry point, with what each of its profiles can do.
struct VAListedEncoder: Sendable {
    /// What the session sees.
    let description: EncoderDescription
    /// `VAEntrypointEncSlice` or `VAEntrypointEncSliceLP`.
    let entrypoint: VAEntrypoint
    /// Smallest first.
    let profiles: [VACodedProfile]
}

/// A profile that an encoder produces.
struct VACodedProfile: Sendable, Hashable {
    /// The profile as the session names it.
    let profile: Profile
    /// The driver's, whose streams these are.
    let driverProfile: VAProfile
    /// What the driver can do in it.
    let traits: VAEncodeTraits
}

/// Makes encoders of a driver's answers.
struct VAEncoderList {
    /// The device asked.
    let device: VADevice
    /// What its driver calls itself.
    let driver: String
    /// The driver's answers.
    let answers: [VAEntrypointAnswer]

    /// The encoders, best first: H.264 before HEVC, the entry point with more features before the low-power one.
    ///
    /// Without packed parameter sets HEVC is left out, whose structures cannot say what is shown of a picture: streams
    /// would describe the coded size. H.264's can, and the driver writes the parameter sets, as it does where it takes
    /// only some of them; color is not in them.
    ///
    /// - Throws: ``EncoderError`` with `.noEncoder` that says what the driver lacks, when there is none.
    func encoders() throws(EncoderError) -> [VAListedEncoder] {
        let entrypoints = [VAEntrypointEncSlice, VAEntrypointEncSliceLP]
        let found = VideoCodec.allCases.flatMap { codec in entrypoints.compactMap { encoder(codec, $0) } }
        guard found.isEmpty else { return found }
        let cause =
            answers.isEmpty
            ? "encodes neither H.264 nor HEVC; for Intel GPUs from Broadwell on Debian has the package "
                + "intel-media-va-driver-non-free, which encodes more, and i965-va-driver for older ones"
            : "encodes nothing that can be used here: H.264 of 4:2:0, or HEVC of 4:2:0 with packed sequence headers"
        throw EncoderError(.noEncoder, reason: "\(device): the driver \"\(driver)\" \(cause)")
    }

    private func encoder(_ codec: VideoCodec, _ entrypoint: VAEntrypoint) -> VAListedEncoder? {
        let quirks = VAQuirks(ofDriver: driver)
        let usable = answers.filter { $0.entrypoint == entrypoint && $0.profile.codec == codec }.compactMap { answer in
            VAEncodeTraits(answer, quirks: quirks).map { (profile: answer.profile, traits: $0) }
        }.filter { codec == .h264 || $0.traits.packs(VA_ENC_PACKED_HEADER_SEQUENCE) }
        guard let capabilities = EncoderCapabilities(codec, usable) else { return nil }
        let isLowPower = entrypoint == VAEntrypointEncSliceLP
        let identity = EncoderID(rawValue: "vaapi.\(device.name).\(codec.rawValue)\(isLowPower ? ".lowpower" : "")")
        var description = EncoderDescription(
            id: identity, displayName: "VA-API \(codec)\(isLowPower ? ", low power" : "") on \(device)",
            libraryVersion: driver, codec: codec, capabilities: capabilities)
        description.isHardwareAccelerated = true
        description.device = device.description
        return VAListedEncoder(
            description: description, entrypoint: entrypoint,
            profiles: usable.flatMap { usable in
                usable.profile.profiles(usable.traits).map {
                    VACodedProfile(profile: $0, driverProfile: usable.profile, traits: usable.traits)
                }
            })
    }
}

extension VAProfile {
    /// The codec of a profile that is asked about.
    var codec: VideoCodec {
        [VAProfileHEVCMain, VAProfileHEVCMain10].contains(self) ? .hevc : .h264
    }

    /// The profiles whose streams this one codes, smallest first.
    ///
    /// Constrained High is High with flags that a driver which writes the parameter sets does not set.
    fileprivate func profiles(_ traits: VAEncodeTraits) -> [Profile] {
        switch self {
        case VAProfileH264High where !traits.takesParameterSets: [.h264High]
        case VAProfileH264ConstrainedBaseline: [.h264ConstrainedBaseline]
        case VAProfileH264Main: [.h264Main]
        case VAProfileH264High: [.h264ConstrainedHigh, .h264High]
        case VAProfileHEVCMain: [.hevcMain]
        case VAProfileHEVCMain10: [.hevcMain10]
        default: []
        }
    }
}

extension EncoderCapabilities {
    /// What the profiles of one entry point can do together; nil without any.
    fileprivate init?(_ codec: VideoCodec, _ usable: [(profile: VAProfile, traits: VAEncodeTraits)]) {
        guard let largest = usable.last?.traits else { return nil }
        let depths = Set(usable.flatMap(\.traits.bitDepths)).sorted()
        // What one profile refuses would surprise whoever asked for it: the ranges are those that all take.
        let widths = usable.map(\.traits.widths).reduce(largest.widths) { $0.clamped(to: $1) }
        let heights = usable.map(\.traits.heights).reduce(largest.heights) { $0.clamped(to: $1) }
        self.init(
            profiles: usable.flatMap { $0.profile.profiles($0.traits) }, bitDepths: depths,
            directPixelFormats: Set(depths.map { $0 == 10 ? .p010 : .nv12 }), codedWidths: widths,
            codedHeights: heights, settings: Self.settings(codec, largest), quantizers: 1...51)
        directPictureKinds = largest.importsDMABufs ? [.memory, .dmaBuf, .surface] : [.memory, .surface]
        needsLegalSamples = false
        // Rate control takes another smallest quantizer from picture to picture.
        takesQuantizers = largest.hasBitRates
    }

    /// What the traits of an entry point allow to be set.
    private static func settings(_ codec: VideoCodec, _ traits: VAEncodeTraits) -> Set<Setting> {
        var settings: Set<Setting> = [
            .profileLevel, .maxKeyFrameInterval, .forceKeyFrame, .expectedFrameRate, .realTime, .pixelAspectRatio,
            .allowFrameReordering, .maxFrameDelayCount, .maxKeyFrameIntervalDuration,
            .sourceFrameCount, .nativeOptions,
        ]
        if traits.takesParameterSets { settings.insert(.color) }
        if traits.has(rateControl: VA_RC_CQP) { settings.insert(.constantQuantizer) }
        if traits.hasQuality { settings.insert(.quality) }
        if traits.hasBitRates {
            settings.formUnion([
                .averageBitRate, .bitRateCeiling, .dataRateLimits, .minAllowedFrameQP, .maxAllowedFrameQP,
            ])
        }
        if traits.has(rateControl: VA_RC_CBR) { settings.insert(.constantBitRate) }
        if traits.has(rateControl: VA_RC_VBR) { settings.formUnion([.variableBitRate, .vbvMaxBitRate]) }
        if traits.hasBitRates { settings.formUnion([.vbvBufferDuration, .vbvInitialDelayPercentage]) }
        if codec == .h264 { settings.insert(.h264EntropyMode) }
        return settings
    }
}

extension VAEncodeTraits {
    /// Whether streams of a bit rate can be asked for.
    var hasBitRates: Bool { has(rateControl: VA_RC_VBR) || has(rateControl: VA_RC_CBR) }

    /// Whether streams of a quality can be asked for.
    var hasQuality: Bool { has(rateControl: VA_RC_ICQ) || has(rateControl: VA_RC_CQP) }
}
