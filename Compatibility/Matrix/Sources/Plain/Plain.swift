// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import X264Backend

/// Opens the session of H.264 that `Application` opens, without VideoToolbox's names and without Foundation.
@main struct Plain {
    static func main() async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 320, height: 192)
        configuration.realTime = true
        let session = try CompressionSession(configuration, encoder: X264Backend())
        try await session.prepare()
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        print("h264 0 plain kB \(usage.ru_maxrss)")
        session.invalidate()
    }
}
