// SPDX-License-Identifier: MIT

extension ResolvedSettings {
    /// Settings that leave everything to the encoder, as a configuration of this size without a wish resolves; for tests
    /// that drive an encoder without a session.
    ///
    /// The frame rate counts as known and the timescale as its numerator: tick n is frame n when the denominator is 1.
    package init(
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
    /// A mode and the buffer that bounds it.
    package init(_ control: RateControl, buffer: BufferModel? = nil) {
        self.init(control: control, buffer: buffer)
    }
}
