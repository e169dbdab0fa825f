// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X264Backend

/// Sets properties one by one by their names, logs those that fail, and goes on without them.
final class PropertyEncoder {
    private(set) var log: [String] = []
    private var configuration: SessionConfiguration
    private var session: CompressionSession?
    private let output: Output

    init(width: Int, height: Int, into output: Output) {
        configuration = SessionConfiguration(codec: .h264, width: width, height: height, pixelFormat: .i420)
        self.output = output
    }

    func setProperty(_ name: String, _ value: String) {
        guard let row = SettingRow.named(name) else {
            log.append("\(name) is not supported")
            return
        }
        do throws(EncoderError) {
            try row.set(value, in: &configuration)
        } catch {
            log.append(error.reason)
        }
    }

    /// The value that is in force.
    func value(_ name: String) -> String? { session?.value(of: Setting(rawValue: name)) }

    func start() throws {
        let session = try CompressionSession(configuration, encoder: X264Backend(), logger: .silent)
        try session.deliver { [output] in output.append($0) }
        self.session = session
    }

    func encode(_ picture: PixelBuffer, at time: MediaTime, forceKeyFrame: Bool) throws {
        if forceKeyFrame { try session?.requestKeyFrame() }
        try session?.synchronous.encode(picture, at: time)
    }

    func stop() throws { try session?.synchronous.finish() }
}
