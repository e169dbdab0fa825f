// SPDX-License-Identifier: MIT

import CommandOptions

extension PublishReport {
    /// What came of it, a line for each output.
    var summary: String {
        var lines = ["\(pictures) pictures, \(Format.fixed(mediaSeconds, 1)) s"]
        for output in outputs {
            var words = ["\(output.writtenPackets) of \(output.givenPackets) packets", "\(output.bytes) bytes"]
            if output.leftOutPackets > 0 { words.append("\(output.leftOutPackets) without a place") }
            if output.droppedPackets > 0 { words.append("\(output.droppedPackets) left out") }
            if output.openings > 1 { words.append("opened \(output.openings) times") }
            if output.state == "failed" { words.append("failed: " + reason(of: output)) }
            lines.append("\(output.name): " + words.joined(separator: ", "))
        }
        if let error { lines.append("encpublish: error: \(error)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Why an output failed, without its name, which its line begins with.
    private func reason(of output: Output) -> String {
        let (error, name) = (output.error ?? "", "\(output.name): ")
        return error.hasPrefix(name) ? String(error.dropFirst(name.count)) : error
    }
}
