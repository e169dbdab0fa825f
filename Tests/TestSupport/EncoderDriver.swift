// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

/// A picture that came out of an encoder, copied.
public struct CodedFrame: Sendable, Equatable {
    /// The id of the picture that was given.
    public var id: Int
    /// What the encoder says of it.
    public var type: AccessUnit.PictureType
    /// Whether others refer to it.
    public var isReference: Bool
    /// Whether decoding can start with it although it is no IDR picture.
    public var isRecoveryPoint: Bool
    /// What the encoder says of its quantizer.
    public var averageQP: Double?
    /// Its NAL units without start codes.
    public var nalUnits: [[UInt8]]
}

/// An encoder that is driven without a session, and what came out of it.
public final class EncoderDriver {
    /// The encoder.
    public let encoder: any FrameEncoder
    /// What came out, in decode order.
    public private(set) var output: [CodedFrame] = []
    /// How many pictures were out when the call of each one given returned.
    public private(set) var outCounts: [Int] = []
    /// The ids of pictures that rate control dropped.
    public private(set) var dropped: [Int] = []
    private var settings: ResolvedSettings
    private let picture: (Int) throws(EncoderError) -> PixelBuffer
    private var nextID = 0

    /// Opens the first encoder of a back end.
    ///
    /// - Parameters:
    ///   - backend: The back end.
    ///   - settings: What the encoder is opened with.
    ///   - logger: Takes what the library says.
    ///   - picture: Makes pictures by their number.
    /// - Throws: What opening throws.
    public init(
        _ backend: any ImmediateBackend, _ settings: ResolvedSettings, logger: Logger = .silent,
        picture: @escaping (Int) throws(EncoderError) -> PixelBuffer
    ) throws(EncoderError) {
        self.settings = settings
        self.picture = picture
        encoder = try backend.openFirst(settings, logger: logger)
    }

    /// Opens the first encoder of a back end for a clip, which starts over at its end.
    ///
    /// - Parameters:
    ///   - backend: The back end.
    ///   - settings: What the encoder is opened with.
    ///   - clip: The pictures.
    ///   - logger: Takes what the library says.
    /// - Throws: What opening throws.
    public convenience init(
        _ backend: any ImmediateBackend, _ settings: ResolvedSettings, _ clip: TestClip, logger: Logger = .silent
    ) throws(EncoderError) {
        let format = settings.picture.pixelFormat
        try self.init(backend, settings, logger: logger) { index throws(EncoderError) in
            try clip.pixelBuffer(index % clip.frames.count, format: format)
        }
    }

    /// Encodes a whole clip with the first encoder of a back end.
    ///
    /// - Parameters:
    ///   - backend: The back end.
    ///   - clip: The pictures.
    ///   - settings: What the encoder is opened with.
    ///   - forcing: Numbers of those that are to be key frames.
    /// - Returns: The encoder, flushed, and what came out of it.
    /// - Throws: What the encoder throws.
    public static func encode(
        _ backend: any ImmediateBackend, _ clip: TestClip, _ settings: ResolvedSettings, forcing: Set<Int> = []
    ) throws(EncoderError) -> EncoderDriver {
        let driver = try EncoderDriver(backend, settings, clip)
        try driver.encode(clip.frames.count, forcing: forcing)
        try driver.flush()
        return driver
    }

    /// Encodes the next pictures, one frame of the frame rate apart.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - forcing: Numbers of those that are to be key frames.
    /// - Returns: How many pictures came out by each call.
    /// - Throws: What the encoder throws.
    @discardableResult
    public func encode(_ count: Int, forcing: Set<Int> = []) throws(EncoderError) -> [Int] {
        var counts: [Int] = []
        for _ in 0..<count {
            let before = output.count
            let picture = SourcePicture(
                id: nextID, pixelBuffer: try picture(nextID),
                ticks: Int64(nextID * settings.plan.frameRate.denominator),
                options: FrameOptions(forceKeyFrame: forcing.contains(nextID)))
            try encoder.encode(picture) { take($0) }
            nextID += 1
            counts.append(output.count - before)
            outCounts.append(output.count)
        }
        return counts
    }

    /// Gets everything out.
    ///
    /// - Throws: What the encoder throws.
    public func flush() throws(EncoderError) {
        _ = try encoder.flush { take($0) }
    }

    /// Changes the live part.
    ///
    /// - Parameter change: Changes it.
    /// - Returns: When it takes effect.
    /// - Throws: What the encoder throws.
    public func update(_ change: (inout LiveParameters) -> Void) throws(EncoderError) -> LiveParameters.Effect {
        change(&settings.live)
        return try encoder.update(settings.live)
    }

    private func take(_ result: borrowing EncoderOutput) {
        switch copy result {
        case .coded(let picture):
            output.append(
                CodedFrame(
                    id: picture.id, type: picture.pictureType, isReference: picture.isReference,
                    isRecoveryPoint: picture.isRecoveryPoint, averageQP: picture.averageQP,
                    nalUnits: picture.nalUnits.map { [UInt8]($0) }))
        case .dropped(let id, _): dropped.append(id)
        }
    }
}

extension ResolvedSettings {
    /// Settings for a clip as the codec's own program would take it: one thread, everything else by default.
    ///
    /// - Parameters:
    ///   - codec: The codec.
    ///   - clip: The clip.
    ///   - change: Changes the settings.
    public init(_ codec: VideoCodec, _ clip: TestClip, _ change: (inout Self) -> Void = { _ in }) {
        self.init(
            codec: codec, width: clip.width, height: clip.height, pixelFormat: clip.format, frameRate: clip.frameRate)
        request.threadCount = 1
        change(&self)
    }

    /// The same settings with a change.
    ///
    /// - Parameter change: Changes them.
    /// - Returns: The changed ones.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var settings = self
        change(&settings)
        return settings
    }
}
