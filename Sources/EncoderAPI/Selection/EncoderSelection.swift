// SPDX-License-Identifier: MIT

public import Logging

/// Chooses among the encoders of several back ends, and says why each of the others was not taken.
///
/// The back ends' order, and in each the order in which it lists its encoders, decides between those that the other
/// properties leave equal. Back ends are asked for their encoders one after the other, in order and whatever the other
/// properties exclude, until an encoder is taken.
public struct EncoderSelection: Sendable {
    /// What to make of hardware.
    @nonexhaustive
    public enum HardwareAcceleration: String, Sendable, Hashable, CaseIterable {
        /// Order alone decides.
        case automatic
        /// Encoders on the CPU are passed over: VideoToolbox's RequireHardwareAcceleratedVideoEncoder.
        case required
        /// Encoders on the CPU come last, whatever keeps the others from serving: VideoToolbox's
        /// EnableHardwareAcceleratedVideoEncoder.
        case preferred
        /// Encoders on a device are passed over: VideoToolbox's EnableHardwareAcceleratedVideoEncoder with false.
        case forbidden
        /// Encoders on the CPU stand in where no device is found or none opens; settings that a device refuses are an
        /// error.
        case softwareFallbackAllowed
    }

    /// In order of preference.
    public var backends: [any EncoderBackend]
    /// What to make of hardware.
    public var hardwareAcceleration: HardwareAcceleration
    /// The only encoder to take; nil for any.
    ///
    /// VideoToolbox's EncoderID.
    public var encoderID: EncoderID?
    /// The only ``EncoderDescription/device`` to take; nil for any.
    ///
    /// VideoToolbox's RequiredEncoderGPURegistryID.
    public var requiredDevice: String?
    /// The ``EncoderDescription/device`` whose encoders come before others; nil for none.
    ///
    /// VideoToolbox's PreferredEncoderGPURegistryID.
    public var preferredDevice: String?

    /// Makes a selection; devices and an encoder are named afterwards.
    public init(_ backends: [any EncoderBackend], hardwareAcceleration: HardwareAcceleration = .automatic) {
        self.backends = backends
        self.hardwareAcceleration = hardwareAcceleration
    }

    /// Makes a session with the first encoder that lists the codec, takes the settings and opens.
    ///
    /// Encoders are listed and opened on threads of their own, while the caller's task waits.
    ///
    /// - Parameters:
    ///   - configuration: As for ``CompressionSession``.
    ///   - transfer: As for ``CompressionSession``.
    ///   - logger: As for ``CompressionSession``.
    /// - Returns: A session whose encoder is open. ``CompressionSession/encoder`` is the one chosen, and
    ///   ``CompressionSession/rejections`` says why the others were not.
    /// - Throws: ``EncoderError`` whose ``EncoderError/rejections`` say why no encoder was taken: that of the encoder
    ///   where only one came into question, else `.noEncoder`. `.cancelled` when the waiting task is cancelled.
    public func makeSession(
        _ configuration: SessionConfiguration, transfer: (any PixelTransfer)? = nil,
        logger: Logger = Logger(label: "EncoderKit")
    ) async throws(EncoderError) -> CompressionSession {
        guard !Task.isCancelled else { throw Self.cancellation }
        return try await SessionThread.run { isAwaited throws(EncoderError) in
            try choose(configuration, transfer, .array, logger, isAwaited)
        }
    }

    /// ``makeSession(_:transfer:logger:)`` for callers that cannot suspend: the calling thread sleeps.
    ///
    /// - Parameters:
    ///   - configuration: As for ``makeSession(_:transfer:logger:)``.
    ///   - transfer: As for ``makeSession(_:transfer:logger:)``.
    ///   - unitMemory: Where the bytes of access units are.
    ///   - logger: As for ``makeSession(_:transfer:logger:)``.
    /// - Returns: As ``makeSession(_:transfer:logger:)``.
    /// - Throws: ``EncoderError`` as ``makeSession(_:transfer:logger:)``, but for `.cancelled`.
    package func makeSessionBlocking(
        _ configuration: SessionConfiguration, transfer: (any PixelTransfer)? = nil, unitMemory: UnitMemory = .array,
        logger: Logger = Logger(label: "EncoderKit")
    ) throws(EncoderError) -> CompressionSession {
        try SessionThread.runBlocking { isAwaited throws(EncoderError) in
            try choose(configuration, transfer, unitMemory, logger, isAwaited)
        }
    }

    /// Lists and opens encoders until one is open, or nobody waits for it.
    private func choose(
        _ configuration: SessionConfiguration, _ transfer: (any PixelTransfer)?, _ unitMemory: UnitMemory,
        _ logger: Logger, _ isAwaited: () -> Bool
    ) throws(EncoderError) -> CompressionSession {
        var search = EncoderSearch(self, for: configuration.codec)
        while isAwaited() {
            switch search.nextStep {
            case .list(let index):
                search.note(
                    Result { () throws(EncoderError) in try backends[index].listEncoders() }, of: index)
            case .open(let encoder, let place):
                let session: CompressionSession
                do throws(EncoderError) {
                    session = try CompressionSession(
                        configuration, encoder: encoder, of: backends[place.backend],
                        rejections: search.rejections(choosing: place), transfer: transfer, unitMemory: unitMemory,
                        logger: logger)
                } catch {
                    search.reject(place, .settingsRefused, error)
                    continue
                }
                do throws(EncoderError) {
                    try session.synchronous.prepare()
                    return session
                } catch {
                    search.reject(place, .openingFailed, error)
                }
            case .end: throw search.failure
            }
        }
        throw Self.cancellation
    }

    private static var cancellation: EncoderError {
        EncoderError(.cancelled, reason: "the task that makes a session was cancelled")
    }
}
