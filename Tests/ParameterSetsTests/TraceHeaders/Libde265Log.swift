// SPDX-License-Identifier: MIT

import TestSupport

/// What libde265's `dec265 --dump` prints of the parameter sets and slice headers of a stream.
struct Libde265Log {
    /// One structure: its kind, such as "SPS", and the values by libde265's names, where there is one number.
    struct Block {
        var kind: String
        var values: [(name: String, value: Int)] = []
    }

    /// In the order of the stream.
    var blocks: [Block] = []

    /// Runs libde265 on a stream.
    ///
    /// - Throws: What running it throws; a stream that it cannot decode ends with status 0 too.
    init(path: String, isLengthPrefixed: Bool) async throws {
        let output = try await ExternalProgram.dec265.run(["-q", "-d"] + (isLengthPrefixed ? ["-n", path] : [path]))
        for line in (output.text + output.standardError).split(separator: "\n") where line.hasPrefix("INFO: ") {
            let text = line.dropFirst(6)
            if text.hasPrefix("-----") {
                blocks.append(Block(kind: text.filter { $0 != "-" && $0 != " " }))
            } else if let colon = text.firstIndex(of: ":"), !blocks.isEmpty {
                // "chroma_format_idc : 1 (4:2:0)"; names of several words are values that it has derived.
                let name = text[..<colon].split(separator: " ")
                let value = text[text.index(after: colon)...].split(separator: " ").first.flatMap { Int($0) }
                if name.count == 1, let value { blocks[blocks.count - 1].values.append((String(name[0]), value)) }
            }
        }
    }
}
