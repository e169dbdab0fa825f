// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

extension ImmediateBackend {
    /// Opens the first encoder that the back end lists, as a session with it would.
    ///
    /// - Throws: What back end or encoder throw, or `.noEncoder`.
    public func openFirst(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) -> any FrameEncoder {
        guard let encoder = try listEncoders().first else {
            throw EncoderError(.noEncoder, reason: "\(identifier) lists no encoder")
        }
        return try makeEncoder(encoder, settings: settings, logger: logger)
    }
}
