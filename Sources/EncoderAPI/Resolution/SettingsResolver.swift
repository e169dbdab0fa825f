// SPDX-License-Identifier: MIT

import ParameterSets

/// Turns a configuration into an encoder's terms, or says why it cannot be: pure, the same for every back end.
struct SettingsResolver {
    let configuration: SessionConfiguration
    let encoder: EncoderDescription
    var facts = StreamFacts()
    private(set) var adjustments: [Adjustment] = []

    var capabilities: EncoderCapabilities { encoder.capabilities }

    /// The rate that is assumed when neither configuration nor first frame tells one, and the level allows it.
    static let assumedFrameRate = FrameRate(numerator: 30)

    /// Checks everything and decides what all back ends decide alike.
    ///
    /// Complete: what only the first frame can tell is assumed until ``facts`` have it.
    mutating func resolve() throws(EncoderError) -> ResolvedSettings {
        try checkValues()
        let bitDepth = try resolveBitDepth()
        try checkProfile(bitDepth: bitDepth)
        let picture = try resolvePicture(bitDepth: bitDepth)
        let level = try resolveLevel(picture)
        let planned = try RatePlanner(
            configuration: configuration, bounds: level.bounds, leastBufferShare: capabilities.leastBufferShare,
            // A device is told the smallest quantizer alone.
            isSteered: configuration.realTime && capabilities.takesQuantizers && !encoder.isHardwareAccelerated,
            framesPerSecond: level.rate.rate.framesPerSecond
        ).plan()
        adjustments += planned.adjustments
        var plan = EncodingPlan(frameRate: level.rate.rate, timescale: resolveTimescale(rate: level.rate.rate))
        plan.level = level.number
        plan.allowFrameReordering = resolveReordering()
        plan.isFrameRateKnown = level.rate.isKnown
        var live = LiveParameters()
        (live.asked, live.rate, live.pace) = (configuration.live, planned.rate, pace)
        return ResolvedSettings(
            request: configuration, picture: picture, plan: plan, live: live,
            position: facts.position ?? StreamPosition(startOf: configuration.live))
    }

    // MARK: - Time

    /// The level, if it is named or pinned, with what it allows, and the frame rate, which both must allow.
    private func resolveLevel(_ picture: PictureFormat) throws(EncoderError) -> ResolvedLevel {
        let planner = LevelPlanner(
            codec: configuration.codec, size: PictureSize(width: picture.codedWidth, height: picture.codedHeight),
            profile: configuration.profileLevel.profile, bitDepth: picture.bitDepth)
        let ceiling = configuration.bitRateCeiling
        guard let number = facts.level ?? configuration.profileLevel.level else {
            let rate = frameRate(within: nil)
            guard let ceiling else { return ResolvedLevel(rate: rate) }
            let number = try naming(rate) { () throws(EncoderError) in
                try planner.level(ceiling: ceiling, rate: rate.rate)
            }
            let bounds = try planner.bounds(level: number, bitsPerSecond: nil, isPinned: true)
            return ResolvedLevel(number: number, bounds: bounds, rate: rate)
        }
        let bounds = try planner.bounds(
            level: number, bitsPerSecond: configuration.live.rateControl.bitsPerSecond, isPinned: ceiling != nil)
        if let ceiling, ceiling > bounds.bitsPerSecond {
            throw EncoderError(
                .conflictingSettings,
                reason:
                    "level \(ProfileLevel.name(number)) does not allow the ceiling of \(ceiling) bit/s, expected at "
                    + "most \(bounds.bitsPerSecond)", setting: .bitRateCeiling)
        }
        let rate = frameRate(within: bounds)
        try naming(rate) { () throws(EncoderError) in try planner.check(rate.rate, level: number, bounds: bounds) }
        return ResolvedLevel(number: number, bounds: bounds, rate: rate)
    }

    private struct ResolvedLevel {
        var number: Int?
        var bounds: LevelPlanner.Bounds?
        var rate: (rate: FrameRate, isKnown: Bool)
    }

    /// The rate encoders are opened for: that of the first frame, the hint before, else one that is assumed.
    private func frameRate(within bounds: LevelPlanner.Bounds?) -> (rate: FrameRate, isKnown: Bool) {
        if let rate = facts.frameRate { return (rate, facts.isFrameRateKnown) }
        if let hint = configuration.live.expectedFrameRate { return (hint.opened, true) }
        let assumed = Self.assumedFrameRate
        guard let most = bounds?.framesPerSecond, most < assumed.framesPerSecond else { return (assumed, false) }
        // In thousandths, rounded down, so that the level allows it.
        return (FrameRate(numerator: max(Int(most * 1000), 1), denominator: 1000), false)
    }

    /// ``LiveParameters/pace``: before the first frame that of a hint for less than an encoder is opened for.
    private var pace: FrameRate? {
        guard facts.frameRate == nil, let hint = configuration.live.expectedFrameRate else { return facts.pace }
        return hint.opened == hint ? nil : hint
    }

    /// Says where a frame rate comes from that a level does not allow.
    private func naming<Value>(
        _ rate: (rate: FrameRate, isKnown: Bool), _ body: () throws(EncoderError) -> Value
    ) throws(EncoderError) -> Value {
        do throws(EncoderError) {
            return try body()
        } catch {
            guard configuration.live.expectedFrameRate == nil else { throw error }
            let origin = rate.isKnown ? "as the first frame's duration tells" : "which is assumed"
            throw EncoderError(
                error.code, reason: "\(error.reason) (frame rate \(rate.rate), \(origin))", setting: error.setting)
        }
    }

    private mutating func resolveTimescale(rate: FrameRate) -> Int32 {
        let timescale = facts.timescale ?? configuration.timescale ?? EncoderTimescale.timescale(first: nil, rate: rate)
        if let asked = configuration.timescale, asked != timescale {
            adjustments.append(
                Adjustment(
                    .timescale, requested: "\(asked)", used: "\(timescale)",
                    reason: "its ticks cannot tell the frames apart"))
        }
        return timescale
    }

    // MARK: - Picture

    private mutating func resolvePicture(bitDepth: Int) throws(EncoderError) -> PictureFormat {
        let picture = PictureFormat(
            width: configuration.width, height: configuration.height,
            codedWidth: try coded(configuration.width, legal: capabilities.codedWidths, setting: .width),
            codedHeight: try coded(configuration.height, legal: capabilities.codedHeights, setting: .height),
            pixelFormat: try resolvePixelFormat(bitDepth: bitDepth))
        noteSize(.width, asked: configuration.width, coded: picture.codedWidth, shown: picture.shownWidth)
        noteSize(.height, asked: configuration.height, coded: picture.codedHeight, shown: picture.shownHeight)
        return picture
    }

    /// Lists a side that is coded larger, or shown larger because it is odd.
    private mutating func noteSize(_ setting: Setting, asked: Int, coded: Int, shown: Int) {
        guard coded != asked else { return }
        let used =
            shown == asked ? "\(coded) coded" : coded == shown ? "\(shown) shown" : "\(shown) shown of \(coded) coded"
        let legal = setting == .width ? capabilities.codedWidths : capabilities.codedHeights
        let alignment = max(capabilities.sizeAlignment, 1)
        var reasons: [String] = []
        if asked < legal.lowerBound {
            reasons.append("the encoder takes \(legal.lowerBound) or more")
        } else if coded != shown {
            reasons.append("the encoder takes multiples of \(alignment)")
        }
        if shown != asked { reasons.append("4:2:0 pictures are cropped in steps of two") }
        adjustments.append(
            Adjustment(
                setting, requested: "\(asked)", used: used,
                reason: (reasons + ["the edge is repeated"]).joined(separator: "; ")))
    }

    private func coded(
        _ side: Int, legal: ClosedRange<Int>, setting: Setting
    ) throws(EncoderError) -> Int {
        let alignment = max(capabilities.sizeAlignment, 1)
        let largest = min(legal.upperBound, PixelBuffer.legalSides.upperBound)
        // A side that is out of range is not calculated with.
        let coded = (min(max(side, legal.lowerBound), largest) + alignment - 1) / alignment * alignment
        guard side >= 1, side <= largest, coded <= largest else {
            throw EncoderError(
                .invalidValue,
                reason: "\(setting.rawValue.lowercased()) \(side), expected 1...\(largest / alignment * alignment)",
                setting: setting)
        }
        return coded
    }

    private func resolveBitDepth() throws(EncoderError) -> Int {
        let source = configuration.pixelFormat.bitDepth
        let depth =
            configuration.profileLevel.profile.map { profile in
                // A profile named for more bits is asked for because of them.
                max(source, profile.maxBitDepth)
            } ?? source
        guard capabilities.bitDepths.contains(depth) else {
            throw EncoderError(
                .unsupported,
                reason: "\(depth) bits with \(encoder.displayName), expected one of \(capabilities.bitDepths)",
                setting: capabilities.bitDepths.contains(source) ? .profileLevel : .pixelFormat)
        }
        return depth
    }

    private mutating func resolvePixelFormat(bitDepth: Int) throws(EncoderError) -> PixelFormat {
        let source = configuration.pixelFormat.layout
        guard source.isFourTwoZero else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "\(source) with \(encoder.displayName), expected the format that a PixelTransfer makes such "
                    + "pictures into, one of "
                    + PixelFormat.layouts.filter(capabilities.directPixelFormats.contains).map(\.rawValue)
                    .joined(separator: ", "),
                setting: .pixelFormat)
        }
        guard !configuration.pixelFormat.isFullRange || capabilities.settings.contains(.color) else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "\(configuration.pixelFormat) with \(encoder.displayName), which does not signal the range of "
                    + "samples; expected \(source)", setting: .pixelFormat)
        }
        if source.bitDepth == bitDepth, capabilities.directPixelFormats.contains(source) { return source }
        let candidates = PixelFormat.layouts.filter {
            $0.bitDepth == bitDepth && capabilities.directPixelFormats.contains($0)
        }
        // Keeping the plane structure makes the one conversion cheaper.
        guard let target = candidates.first(where: { $0.isBiplanar == source.isBiplanar }) ?? candidates.first else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "\(source) at \(bitDepth) bits with \(encoder.displayName), expected one of "
                    + PixelFormat.layouts.filter(capabilities.directPixelFormats.contains).map(\.rawValue)
                    .joined(separator: ", "),
                setting: .pixelFormat)
        }
        adjustments.append(
            Adjustment(
                .pixelFormat, requested: "\(source)", used: "\(target)",
                reason: "\(encoder.displayName) does not take the layout; each picture is converted once"))
        return target
    }

    private func resolveReordering() -> Bool {
        configuration.allowFrameReordering ?? configuration.profileLevel.profile?.allowsFrameReordering ?? true
    }
}
