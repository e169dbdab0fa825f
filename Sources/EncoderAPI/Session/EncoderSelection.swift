// SPDX-License-Identifier: MIT

public import Logging

/// Back ends in order of preference; the first that can serve a configuration does.
public struct EncoderSelection: Sendable {
    /// In order of preference.
    public var backends: [any EncoderBackend]
    /// Whether encoders that run on the CPU are passed over.
    public var requiresHardware: Bool

    /// Makes a selection.
    public init(_ backends: [any EncoderBackend], requiresHardware: Bool = false) {
        self.backends = backends
        self.requiresHardware = requiresHardware
    }

    /// Makes a session with the first back end that accepts the configuration.
    ///
    /// - Parameters:
    ///   - configuration: As for ``CompressionSession``.
    ///   - logger: As for ``CompressionSession``.
    /// - Returns: A session with an encoder that has been opened, so that a device that fails to open is passed over.
    /// - Throws: ``EncoderError`` with `.noEncoder` that says why each back end was passed over; `.cancelled` when the
    ///   waiting task is cancelled.
    public func makeSession(
        _ configuration: SessionConfiguration, logger: Logger = Logger(label: "EncoderKit")
    ) async throws(EncoderError) -> CompressionSession {
        var refusals: [String] = []
        for backend in backends {
            if Task.isCancelled {
                throw EncoderError(.cancelled, reason: "the task that makes a session was cancelled")
            }
            do throws(EncoderError) {
                let session = try CompressionSession(configuration, encoder: backend, logger: logger)
                guard !requiresHardware || session.capabilities.isHardwareAccelerated else {
                    refusals.append("\(backend.identifier): runs on the CPU")
                    continue
                }
                try await session.prepare()
                return session
            } catch  where error.code == .cancelled {
                throw error
            } catch {
                refusals.append("\(backend.identifier): \(error)")
            }
        }
        throw EncoderError(
            .noEncoder, reason: refusals.isEmpty ? "no back end to choose from" : refusals.joined(separator: "; "))
    }
}
