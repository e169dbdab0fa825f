// SPDX-License-Identifier: MIT

package import EncoderAPI
package import MediaFiles

/// What an input says about itself before its first picture is read.
package struct SourceDescription: Equatable, Sendable {
    package var width: Int
    package var height: Int
    package var pixelFormat: PixelFormat
    package var frameRate: FrameRate?
    /// Whether all pictures last equally long.
    package var isConstantRate = false
    /// Frames to come; nil when unknown.
    package var frameCount: Int?
    package var color: ColorDescription?
    package var pixelAspectRatio: PixelAspectRatio?
    package var metadata = SourceMetadata()

    package init(
        width: Int, height: Int, pixelFormat: PixelFormat, frameRate: FrameRate? = nil, isConstantRate: Bool = false,
        frameCount: Int? = nil, color: ColorDescription? = nil, pixelAspectRatio: PixelAspectRatio? = nil,
        metadata: SourceMetadata = SourceMetadata()
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.isConstantRate = isConstantRate
        self.frameCount = frameCount
        self.color = color
        self.pixelAspectRatio = pixelAspectRatio
        self.metadata = metadata
    }

    /// What a source says of itself.
    ///
    /// - Parameters:
    ///   - info: What is known before its first picture.
    ///   - frameLimit: Pictures that are used at most; nil for all.
    package init(_ info: VideoSourceInfo, frameLimit: Int? = nil) {
        self.init(
            width: info.width, height: info.height, pixelFormat: info.pixelFormat, frameRate: info.frameRate,
            isConstantRate: info.isConstantRate,
            // An encoder plans with one frame or more.
            frameCount: info.frameCount.flatMap { $0 > 0 ? min($0, frameLimit ?? .max) : nil },
            color: info.color == ColorDescription() ? nil : info.color, pixelAspectRatio: info.pixelAspectRatio,
            metadata: SourceMetadata(info))
    }

    /// A configuration of a session that takes such pictures, everything else left to the encoder.
    package func configuration(codec: VideoCodec) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: pixelFormat)
        configuration.live.expectedFrameRate = frameRate
        configuration.sourceFrameCount = frameCount
        configuration.color = color
        configuration.pixelAspectRatio = pixelAspectRatio
        return configuration
    }

    /// This description with colors that an encoder cannot write as unspecified, and without what it cannot write at
    /// all, which ``losses(by:)`` names, and a number of frames that it has no use for.
    package func writable(by encoder: EncoderDescription) -> SourceDescription {
        var source = self
        let settings = encoder.capabilities.settings
        if !settings.contains(.sourceFrameCount) { source.frameCount = nil }
        let color = settings.contains(.color) ? color?.legal(with: encoder.capabilities) : nil
        source.color = color == ColorDescription() ? nil : color
        if !settings.contains(.pixelAspectRatio) { source.pixelAspectRatio = nil }
        return source
    }

    /// What the input says that an encoder's stream does not, a sentence each: nobody asked, so it stops nothing.
    package func losses(by encoder: EncoderDescription) -> [String] {
        let settings = encoder.capabilities.settings
        var losses: [String] = []
        if let color, !settings.contains(.color) {
            losses.append("the colors \(color.primaries),\(color.transfer),\(color.matrix)")
        }
        if let pixelAspectRatio, !settings.contains(.pixelAspectRatio) {
            let (width, height) = (pixelAspectRatio.horizontalSpacing, pixelAspectRatio.verticalSpacing)
            losses.append("the pixel aspect ratio \(width):\(height)")
        }
        return losses.map { "\($0) of the input will not be in the stream: \(encoder.displayName) cannot signal it" }
    }
}

extension SessionConfiguration {
    /// Tells a library by its own options what they say of a source, before those that are set already.
    package mutating func addOptions(for source: SourceDescription, to encoder: EncoderKind) {
        if let names = encoder.metadataOptions {
            nativeOptions.insert(contentsOf: source.metadata.options(names), at: 0)
        }
        promiseConstantRate(of: source, to: encoder)
    }

    /// Tells a library that has an option for it that frames come at a constant rate, and leaves out the number of
    /// frames.
    ///
    /// Rate control then counts pictures as the library's program does for such input, and the encoder holds one frame
    /// less.
    private mutating func promiseConstantRate(of source: SourceDescription, to encoder: EncoderKind) {
        guard let option = encoder.constantRateOption else { return }
        sourceFrameCount = nil
        guard source.isConstantRate else { return }
        nativeOptions.insert(option, at: 0)
    }
}
