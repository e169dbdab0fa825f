// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import MediaFiles

/// `encbench time-point`, which timing rounds start as a process of its own for each encode.
struct TimePointCommand: AsyncParsableCommand {
    static let name = "time-point"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Encodes one point of a plan and writes what it took as JSON.",
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("The point as a plan has it.", valueName: "json"))
    var point: String

    func run() async throws {
        let spec: PointSpec
        do {
            spec = try JSONDecoder().decode(PointSpec.self, from: Data(point.utf8))
        } catch {
            throw CommandFailure("no point of a plan: \(error)")
        }
        try MediaOutput.write(try JSONDocument.canonicalBytes(try await TimedEncode(of: spec)), to: "-")
    }
}
