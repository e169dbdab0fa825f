// SPDX-License-Identifier: MIT

/// What one encoder can do, known before it is opened.
public struct EncoderCapabilities: Sendable, Hashable {
    /// Profiles it can produce, smallest first.
    public var profiles: [Profile]
    /// Bit depths it can code.
    public var bitDepths: [Int]
    /// Layouts whose planes go to the library as they are, one or more for each of ``bitDepths``; pictures of other
    /// layouts are converted once.
    public var directPixelFormats: Set<PixelFormat>
    /// Where pictures may be that go to the library as they are; those of other kinds are mapped into memory.
    public var directPictureKinds: Set<PixelBuffer.Kind> = [.memory]
    /// Coded widths it takes, in luma samples; smaller pictures are padded and cropped.
    public var codedWidths: ClosedRange<Int>
    /// Coded heights it takes, in luma rows; smaller pictures are padded and cropped.
    public var codedHeights: ClosedRange<Int>
    /// Coded sides are multiples of this, 2 or more; others are padded and cropped.
    public var sizeAlignment = 2
    /// Settings it honours, those of a frame too; others are refused.
    ///
    /// Settings in ``Setting/keptBySession`` need no encoder and are not listed.
    public var settings: Set<Setting>
    /// Legal quantizers at eight bits.
    public var quantizers: ClosedRange<Int>
    /// Legal constant rate factors; nil where there are none.
    public var constantRateFactors: ClosedRange<Double>?
    /// Names that ``SessionConfiguration/preset`` may have, fastest first.
    public var presets: [String] = []
    /// Names that ``SessionConfiguration/tune`` may have.
    public var tunes: [String] = []
    /// The largest code that `ColorDescription.primaries` may have.
    public var largestColorPrimaries = 22
    /// The least share of a data-rate limit over one second that the decoder's buffer gets.
    ///
    /// What a key frame needs. Of a limit over T seconds it is 1/√T of that, and half at most.
    public var leastBufferShare = 0.5
    /// Whether it codes a picture with ``SourcePicture/quantizer`` where there is one.
    ///
    /// A session then encodes a picture again that a data-rate limit has no room for; without it the picture is
    /// dropped.
    public var takesQuantizers = false
    /// Whether a sample above the bit depth would do harm: the session then reads every sample of formats that can have
    /// one, and drops the picture with an error that names it.
    public var needsLegalSamples = true

    /// Puts capabilities together; the properties with defaults are set afterwards.
    public init(
        profiles: [Profile], bitDepths: [Int], directPixelFormats: Set<PixelFormat>, codedWidths: ClosedRange<Int>,
        codedHeights: ClosedRange<Int>, settings: Set<Setting>, quantizers: ClosedRange<Int>
    ) {
        self.profiles = profiles
        self.bitDepths = bitDepths
        self.directPixelFormats = directPixelFormats
        self.codedWidths = codedWidths
        self.codedHeights = codedHeights
        self.settings = settings
        self.quantizers = quantizers
    }
}
