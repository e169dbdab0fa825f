// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging

/// A back end whose library or device is not there.
struct MissingBackend: EncoderBackend {
    let identifier = "missing"
    let error: EncoderError

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { throw error }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        throw error
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) { throw error }
}
