// SPDX-License-Identifier: MIT

import CommandOptions
import Publishing

extension PublishPlan: CustomStringConvertible {
    /// A line for each thing that is done, without secrets; as `--plan` prints it.
    var description: String {
        var lines = ["input    \(input)" + (duration.map { ", the first \(Format.shortest($0)) s" } ?? "")]
        switch pictures {
        case .encoded(let encodings):
            for encoding in encodings {
                let name = encoding.name.map { "\($0): " } ?? ""
                lines.append("pictures \(name)\(encoding.choice.codec) by \(encoding.choice.kind.name)")
            }
        case .copied: lines.append("pictures copied")
        }
        lines.append("sound    \(sound)")
        lines.append("pace     " + (pace == .realTime ? "as the input's times say" : "as fast as files take it"))
        for output in outputs { lines.append("to       \(output)\(output.place.detail)") }
        if let recording {
            let start = recording.start > 0 ? " from \(Format.shortest(recording.start)) s on" : ""
            lines.append(
                "record   \(recording.output)\(recording.output.place.detail), from the first sync frame\(start)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension OutputChoice {
    /// What is written, where its name does not say.
    fileprivate var detail: String {
        switch self {
        case .address(let address): address.scheme == .srt || address.scheme == .udp ? ", transport stream" : ", FLV"
        case .file(path: "-", _): ""
        case .file(_, let container): ", \(container.name)"
        case .segments(_, let kind):
            ", segments of \(kind == .fragmentedMP4 ? "fragmented MP4" : "transport streams") and their play list"
        }
    }
}
