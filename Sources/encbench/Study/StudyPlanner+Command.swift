// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles

extension StudyPlanner {
    /// Plans as ``plan(_:points:)`` does, with what is wrong with the command line in the words of its parser.
    func planCommand(
        _ study: inout Study, points: (Int, ClipInput.Clip, EncoderDescription) async throws -> [PointSpec]
    ) async throws {
        // What would fail after minutes of encoding fails now.
        for path in inputs where path != "-" { try Self.checkReadable(path) }
        do {
            try await plan(&study, points: points)
        } catch let repetition as RepeatedClip {
            throw ValidationError(repetition.description)
        }
    }

    /// Refuses a path that is no file, with a hint where a command was meant.
    static func checkReadable(_ path: String) throws {
        do throws(MediaFileError) {
            _ = try InputFile(path: path)
        } catch {
            guard !path.contains("."), !path.contains("/") else { throw error }
            throw CommandFailure("'\(path)' is neither a file here nor a command; encbench --help lists the commands")
        }
    }
}
