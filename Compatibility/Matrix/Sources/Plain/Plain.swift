// SPDX-License-Identifier: MIT

import EncoderAPI
import X264Backend

/// Opens a session without VideoToolbox's names.
@main struct Plain {
    static func main() async throws {
        let session = try CompressionSession(
            SessionConfiguration(codec: .h264, width: 320, height: 192), encoder: X264Backend())
        try await session.prepare()
        print("h264 0 plain")
        session.invalidate()
    }
}
