// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// What libde265's `dec265 --dump` prints of parameter sets.
struct Libde265Log {
    /// One structure: its kind, such as "SPS", and the values by libde265's names, where there is one number.
    struct Block {
        var kind: String
        var values: [(name: String, value: Int)] = []
    }

    /// In the order of the stream.
    var blocks: [Block] = []

    /// Runs libde265 on units.
    ///
    /// - Throws: What running it throws; units that it cannot read end with status 0 too.
    init(units: [[UInt8]]) async throws {
        let output = try await withTemporaryDirectory { folder in
            try await ExternalProgram.dec265.run(["-q", "-d", folder.write(AnnexB.join(units), to: "sets.265")])
        }
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
