// SPDX-License-Identifier: MIT

extension ResolvedSettings {
    /// Makes settings that leave everything to the encoder, as a configuration of this size without a wish resolves: for
    /// tests that drive an encoder, or a map from settings to a library's parameters, without a session.
    ///
    /// Set the other properties afterwards. The frame rate counts as known and the timescale as its numerator: tick n is
    /// frame n when the denominator is 1.
    ///
    /// - Parameters:
    ///   - codec: The standard to encode to.
    ///   - width: Luma samples in a row as shown; an odd width is coded at the next even one.
    ///   - height: Luma rows as shown; likewise.
    ///   - pixelFormat: The format of the pictures the encoder is given; its depth is the coded one.
    ///   - frameRate: Frames per second, 1 or more.
    public init(
        codec: VideoCodec, width: Int, height: Int, pixelFormat: PixelFormat = .i420, frameRate: FrameRate = 30
    ) {
        self.init(
            codec: codec, width: width, height: height, codedWidth: (width + 1) / 2 * 2,
            codedHeight: (height + 1) / 2 * 2, pixelFormat: pixelFormat, bitDepth: pixelFormat.bitDepth, profile: nil,
            level: nil, entropyMode: nil, realTime: false, maxKeyFrameInterval: 0, allowFrameReordering: true,
            allowOpenGOP: false, maxFrameDelayCount: nil, sourceFrameCount: 0, rate: Rate(control: .automatic),
            minQP: nil, maxQP: nil, frameRate: frameRate, isFrameRateKnown: true,
            timescale: Int32(clamping: frameRate.numerator), color: nil, pixelAspectRatio: nil, preset: nil, tune: nil,
            threadCount: 0, nativeOptions: [])
    }
}

extension ResolvedSettings.Rate {
    /// Makes a mode with the buffer that bounds it.
    ///
    /// - Parameters:
    ///   - control: The mode.
    ///   - buffer: The leaky bucket; nil where nothing bounds the rate.
    public init(_ control: RateControl, buffer: BufferModel? = nil) {
        self.init(control: control, buffer: buffer)
    }
}
