// SPDX-License-Identifier: MIT

import Capture
import EncoderAPI

/// What `encpublish devices` prints.
extension CaptureDevices {
    /// Modes of a camera that are printed.
    private static let mostModes = 64

    /// A line for each device, with its sizes and rates below, then what is missing and how to get it.
    var text: String {
        var lines: [String] = []
        for device in devices {
            let name = device.name.isEmpty ? "" : "  \(device.name)"
            lines.append("\(device.source)\(name)\(device.isDefault ? "  (default)" : "")")
            // A screen's one size stands in its name.
            guard device.source.kind == .v4l2 else { continue }
            lines += device.modes.prefix(Self.mostModes).map { "    \($0)" }
            if device.modes.count > Self.mostModes {
                lines.append("    and \(device.modes.count - Self.mostModes) more")
            }
        }
        lines.append("lavfi:GRAPH  sources of libavfilter, such as lavfi:testsrc2=size=1280x720:rate=30")
        lines += problems.map { "missing  \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
