// SPDX-License-Identifier: MIT

import BitSyntax

/// Headers of AAC are written as they were read; packets with headers hold together.
func checkSoundHeaders(_ bytes: [UInt8]) {
    if let configuration = try? AudioSpecificConfig(bytes) {
        guard let written = try? configuration.bytes() else { fatalError("cannot be written: \(configuration)") }
        require((try? AudioSpecificConfig(written)) == configuration, "\(configuration) is written as \(written)")
        _ = (configuration.sampleRate, configuration.channelCount)
    }
    if let frames = try? ADTS.frames(in: bytes) {
        let count = frames.reduce(0) { $0 + $1.data.count + ADTS.Header.byteCount }
        require(count <= bytes.count && count + 2 * frames.count >= bytes.count, "packets of another length")
        for frame in frames {
            let read = try? AudioSpecificConfig(frame.configuration)
            require(read?.sampleRate == frame.sampleRate && read?.channelCount == frame.channelCount, "another stream")
        }
    }
    _ = checkHeader(ADTS.Header(), bytes[...])
}
