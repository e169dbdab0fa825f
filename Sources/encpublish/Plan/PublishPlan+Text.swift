// SPDX-License-Identifier: MIT

import CommandOptions
import Publishing
import WebSocketPublishing

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
        if rotation != .none { lines.append("turned   by players, \(rotation.rawValue) degrees clockwise") }
        lines.append("sound    \(sound)")
        lines.append("pace     " + (pace == .realTime ? "as the input's times say" : "as fast as files take it"))
        for output in outputs { lines.append("to       \(output)\(output.place.detail)") }
        if let recording {
            let start = recording.start > 0 ? " from \(Format.shortest(recording.start)) s on" : ""
            lines.append(
                "record   \(recording.output)\(recording.output.place.detail), from the first sync frame\(start)")
        }
        return (lines + notes.map { "note     \($0)" }).joined(separator: "\n") + "\n"
    }

    /// What a person may not expect of this plan; a sentence each.
    var notes: [String] {
        var notes: [String] = []
        if input.isTest || input.captured != nil, duration == nil {
            notes.append(
                "\(input) has no end: Ctrl-C completes the outputs, and --duration SECONDS ends by itself")
        }
        for (server, files) in filesThatAdapt {
            notes.append(
                "--adapt lowers what \(files.joined(separator: ", ")) gets too, by the encoding that it shares with "
                    + "\(server); --encoding NAME=... and --to NAME=OUTPUT give it one of its own")
        }
        return notes
    }

    /// Servers whose network decides on the rate of files, with those of the same encoding.
    private var filesThatAdapt: [(server: String, files: [String])] {
        guard adapts else { return [] }
        let all = outputs + [recording?.output].compactMap(\.self)
        return encodings.compactMap { encoding in
            let own = all.filter { $0.encoding == encoding.name }
            let files = own.filter { !$0.place.isLive }.map { "\($0.place)" }
            guard let server = own.first(where: \.place.isAddress), !files.isEmpty else { return nil }
            return ("\(server.place)", files)
        }
    }
}

extension OutputChoice {
    /// What is written, where its name does not say.
    fileprivate var detail: String {
        switch self {
        case .address(let address): address.scheme == .srt || address.scheme == .udp ? ", transport stream" : ", FLV"
        case .webSocket(_, .messages): ", messages with times"
        case .webSocket(_, .nalUnits): ", one NAL unit a message"
        case .file(path: "-", _): ""
        case .file(_, let container): ", \(container.name)"
        case .segments(_, let kind):
            ", segments of \(kind == .fragmentedMP4 ? "fragmented MP4" : "transport streams") and their play list"
        case .viewers(let place):
            ", a page for browsers" + (place.tokenFile == nil ? " on this machine" : " that show the token")
        }
    }
}
