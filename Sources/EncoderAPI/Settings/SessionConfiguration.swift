// SPDX-License-Identifier: MIT

/// What a session is made with.
///
/// ``live`` may change later, and size, format and color with
/// ``CompressionSession/changePictures(width:height:pixelFormat:color:)``; the rest is fixed. Names are VideoToolbox's
/// in Swift spelling. Every setting is honoured, or refused with an error, or listed in
/// ``CompressionSession/adjustments``.
public struct SessionConfiguration: Sendable, Hashable {
    /// The standard to encode to.
    public var codec: VideoCodec
    /// Luma samples in a row of each picture, 1 to the largest of ``EncoderCapabilities/codedWidths``; one that the
    /// encoder cannot code is padded and cropped.
    public var width: Int
    /// Luma rows of each picture, 1 to the largest of ``EncoderCapabilities/codedHeights``; one that the encoder
    /// cannot code is padded and cropped.
    public var height: Int
    /// The format of the pictures to come, which is 4:2:0; with a ``PixelTransfer``, the one that pictures of other
    /// formats are made into.
    public var pixelFormat: PixelFormat
    /// What may change while the session runs.
    public var live = LiveSettings()

    /// Profile and level, or the encoder's choice.
    public var profileLevel = ProfileLevel.automatic
    /// How H.264 codes its symbols; nil for the encoder's choice.
    ///
    /// Refused for HEVC.
    public var h264EntropyMode: H264EntropyMode?
    /// Whether frames must come out as fast as they come: no lookahead, no B pictures, one slice a picture, and a fast
    /// preset unless ``preset`` names another.
    ///
    /// No frame waits for a later one, whatever the preset, so that ``CompressionSession/invalidate()`` loses none but
    /// those that the encoder has not dealt with. What holds frames all the same is listed in
    /// ``CompressionSession/adjustments``: a ``threadCount`` or the native option `threads` with libx264, and threads
    /// of libx264 where the pictures are more than 1920x1080 at 30 frames per second, unless ``maxFrameDelayCount`` is
    /// 0. libopenh264 drops frames where the average is too low for them, and keeps its preset. False by default.
    public var realTime = false
    /// Whether pictures may be coded in another order than they are shown (B pictures).
    ///
    /// nil allows them unless the profile has none. true is refused with such a profile, and listed in the adjustments
    /// where the encoder has none with these settings.
    public var allowFrameReordering: Bool?
    /// Whether pictures may depend on pictures across a random-access point.
    public var allowOpenGOP = false
    /// Most frames the encoder may hold, 0 to 2^30; nil sets no limit.
    ///
    /// With M, frame N - M is out before `encode` of frame N returns where that waits, and frame N - 1 - M before one
    /// that does not wait takes frame N. Where an encoder holds more all the same, nobody waits for it, and
    /// ``CompressionSession/adjustments`` says how many it may hold.
    public var maxFrameDelayCount: Int?
    /// Most frames that may wait, for the encoder or, encoded, for whoever takes them, 1 to 4096; nil for as many as 16
    /// MiB of pictures make, but 2 to 16.
    ///
    /// Frames inside the encoder, in flight, held for reordering or for its lookahead, do not count.
    public var pipelineCapacity: Int?
    /// Number of frames to come, 1 to 2^30; nil where it is not known.
    ///
    /// x265 plans with it.
    public var sourceFrameCount: Int?
    /// Most bit/s that ``CompressionSession/update(_:)`` will ever ask for: pins the level, so that changes of average
    /// and limits keep the parameter sets.
    ///
    /// The level follows from the ceiling, the first frame's rate, profile and size, whatever the live settings are,
    /// and bounds the buffer; it is chosen anew where
    /// ``CompressionSession/changePictures(width:height:pixelFormat:color:)`` takes other pictures. 1000 to
    /// 1,000,000,000; nil pins nothing.
    public var bitRateCeiling: Int?

    /// Framing of the NAL units in ``AccessUnit/data``.
    public var framing = StreamFraming.lengthPrefixed()
    /// Whether the access units carry the parameter sets as well.
    public var parameterSets = ParameterSetPlacement.outOfBand
    /// What the samples mean; nil signals nothing.
    ///
    /// Refused are codes that H.273 reserves, a matrix of 0 (GBR), which 4:2:0 pictures cannot have, and what an
    /// encoder cannot write: libx264 and libx265 have no primaries of code 22. A ``pixelFormat`` of full range says for
    /// itself that the range is full. A picture that tells another ``PixelBuffer/color`` is refused.
    public var color: ColorDescription?
    /// Shape of a sample, 1...65535 to 1...65535; nil signals nothing, which means square.
    public var pixelAspectRatio: PixelAspectRatio?

    /// A preset of the library, such as "veryfast"; nil for its default.
    public var preset: String?
    /// A tune of the library, such as "film" or "psnr"; nil for none.
    public var tune: String?
    /// Threads the library may use, 1 to 128; nil lets it choose, which is as many as the machine has processors or
    /// more with libx264 and libx265, fewer with ``realTime`` or ``maxFrameDelayCount``, and one with libopenh264.
    ///
    /// Sessions share no threads: give each a count where many run at once.
    public var threadCount: Int?
    /// Options of the library by its own names, applied last and in order: a later one counts over an earlier one.
    ///
    /// Refused are unknown names and values, with `.invalidValue`; options that would change what the session needs or
    /// what only a setting decides, with `.unsupported`; and with `.conflictingSettings` those that would change what a
    /// setting asks for, also with a later ``CompressionSession/update(_:)``. What an option decides where nobody asked
    /// is listed in ``CompressionSession/adjustments`` by the name of the setting, where one has a value for it: rates,
    /// limits, bounds of the quantizer, color, pixel aspect ratio, entropy mode, key-frame interval, and with libx264
    /// level and threads too. A number that the library replaces
    /// is listed under NativeOptions.
    public var nativeOptions: [NativeOption] = []
    /// Ticks per second of the clock that the encoder sees, 1 to 2^31 - 1; nil takes the first frame's timescale if
    /// frames can be told apart in it, and one made from the frame rate where the encoder was prepared before that
    /// frame.
    ///
    /// A clock that turns out too coarse for the times to come is replaced by a finer one, which the adjustments list
    /// where one was asked for.
    /// Times are given back exactly as they came whatever it is.
    public var timescale: Int32?

    /// Frames that may be let wait.
    static let pipelineCapacities = 1...4096

    /// Makes a configuration that leaves everything else to the encoder.
    public init(codec: VideoCodec, width: Int, height: Int, pixelFormat: PixelFormat = .i420) {
        self.codec = codec
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
    }
}

extension SessionConfiguration {
    /// The size, format and color of the pictures to come.
    var source: SourceFormat {
        get { SourceFormat(width: width, height: height, pixelFormat: pixelFormat, color: color) }
        set {
            (width, height) = (newValue.width, newValue.height)
            (pixelFormat, color) = (newValue.pixelFormat, newValue.color)
        }
    }

    /// ``color`` as the stream signals it: of full range where the pictures are; nil signals nothing.
    public var signalledColor: ColorDescription? { source.signalledColor }
}

/// One option of the library behind an encoder, by the library's own name.
public struct NativeOption: Sendable, Hashable {
    /// The library's name for the option, such as "aq-mode".
    public var name: String
    /// Its value as text; nil for options that take none.
    public var value: String?

    /// Makes an option.
    public init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

/// What goes with one frame.
public struct FrameOptions: Sendable {
    /// Makes the frame a sync frame (a true IDR), whatever the interval says.
    ///
    /// Refused with `.unsupported` where the encoder does not list ``Setting/forceKeyFrame``, and with
    /// `.conflictingSettings` where HEVC has ``SessionConfiguration/allowOpenGOP``.
    public var forceKeyFrame: Bool
    /// Anything of the caller's; comes back with the encoded frame.
    public var token: (any Sendable)?

    /// Makes options.
    public init(forceKeyFrame: Bool = false, token: (any Sendable)? = nil) {
        self.forceKeyFrame = forceKeyFrame
        self.token = token
    }
}
