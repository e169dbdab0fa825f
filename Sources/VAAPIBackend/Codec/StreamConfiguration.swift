// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// What a stream's parameter sets say, decided from settings and from what the driver can do.
struct StreamConfiguration: Sendable {
    /// What both codecs say alike.
    let sequence: SequenceConfiguration
    /// What is shown of pictures, in luma samples.
    private let shown: PictureSize
    let profile: Profile
    let level: StreamLevel.Choice
    /// Whether H.264 uses CABAC.
    let usesCABAC: Bool
    /// What the picture parameter set starts quantizers from.
    let quantizer: Int
    /// What the driver can do.
    let traits: VAEncodeTraits
    /// Whether quantizers change inside pictures.
    let changesQuantizers: Bool
    /// What native options ask for.
    let options: VAOptions

    /// Decides.
    ///
    /// - Parameters:
    ///   - settings: What the session asks for.
    ///   - plan: The profile, the order of pictures, and what they are predicted from.
    ///   - rate: Rate control.
    /// - Throws: ``EncoderError`` when no level has room for the pictures.
    init(
        _ settings: ResolvedSettings, _ plan: VAStreamPlan, rate: VARatePlan
    ) throws(EncoderError) {
        let references = plan.references
        (profile, traits, options) = (plan.profile.profile, plan.profile.traits, plan.options)
        let (picture, request) = (settings.picture, settings.request)
        shown = PictureSize(
            width: picture.codedWidth - picture.cropRight, height: picture.codedHeight - picture.cropBottom)
        // The smallest picture of a driver's may be larger than what is shown.
        let alignment = request.codec == .hevc ? 1 << plan.profile.traits.blocks.alignment : 1
        var sequence = SequenceConfiguration(
            displaySize: PictureSize(
                width: picture.codedWidth.rounded(upTo: alignment),
                height: picture.codedHeight.rounded(upTo: alignment)))
        sequence.bitDepth = picture.bitDepth
        sequence.frameRate = Ratio(settings.plan.frameRate.numerator, settings.plan.frameRate.denominator)
        sequence.pixelAspectRatio = request.pixelAspectRatio
        sequence.color = request.signalledColor
        sequence.referenceFrames = references.kept
        sequence.reorderFrames = plan.structure.reorderDepth
        self.sequence = sequence
        usesCABAC = request.h264EntropyMode.map { $0 == .cabac } ?? profile.allowsCABAC
        quantizer = rate.quantizers.p
        changesQuantizers = rate.mode != UInt32(VA_RC_CQP) || !plan.options.regions.isEmpty
        level = try StreamLevel(settings, profile, referenceFrames: references.kept)
            .choice(bitsPerSecond: rate.mostBitsPerSecond, bufferBits: rate.bufferBits)
    }

    /// What parameter sets leave out of pictures that are coded so large; nil where that is nothing.
    ///
    /// In units of two samples, as both codecs count in frames of 4:2:0.
    func cropping(width: Int, height: Int) -> CroppingWindow? {
        var window = CroppingWindow()
        (window.right, window.bottom) = ((width - shown.width) / 2, (height - shown.height) / 2)
        return window == CroppingWindow() ? nil : window
    }

    /// Whether the parameter sets stay true with other live parameters.
    func holds(_ settings: ResolvedSettings, _ references: ReferenceTracker.Limits, _ rate: VARatePlan) -> Bool {
        let choice = StreamLevel(settings, profile, referenceFrames: references.kept)
            .lowest(bitsPerSecond: rate.mostBitsPerSecond, bufferBits: rate.bufferBits)
        guard let choice else { return false }
        // A tier is signalled only where the bit rate needs it, and in the High one every level allows more.
        return settings.plan.level == nil && choice.isHighTier == level.isHighTier
            ? choice.level <= level.level : choice == level
    }
}

extension Bool {
    /// The flag as a C bit field takes it.
    var bit: UInt32 { self ? 1 : 0 }
}

extension Int {
    /// The least multiple of `step` that is not less.
    fileprivate func rounded(upTo step: Int) -> Int { (self + step - 1) / step * step }
}
