// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import Glibc
package import Logging
import MediaFiles

/// Results kept in a folder, one file each, named by what was asked and what encoded it.
///
/// A file appears whole or not at all, whatever happens to the process, so several processes and machines may share a
/// folder.
package struct PointStore: Sendable {
    /// The folder.
    package let path: String
    package let logger: Logger

    private struct Entry<Kept: KeptResult>: Codable {
        var schemaVersion = PointStore.schemaVersion
        var result: Kept

        enum CodingKeys: String, CodingKey {
            case result
            case schemaVersion = "schema_version"
        }
    }

    package static let schemaVersion = 1

    /// Uses a folder; makes it where it is missing, and removes what writers that were killed left half-written.
    ///
    /// - Throws: ``EncoderBenchError`` when nothing can be kept there.
    package init(path: String, logger: Logger) throws(EncoderBenchError) {
        self.path = path
        self.logger = logger
        guard mkdir(path.fileName, 0o777) == 0 || errno == EEXIST else { throw unusable("keep results there") }
        try checkWritable()
        PartialFile.removeAbandoned(in: path)
    }

    /// Uses the results of a folder, which need not be writable.
    ///
    /// - Throws: ``EncoderBenchError`` when it cannot be read.
    package init(reading path: String, logger: Logger) throws(EncoderBenchError) {
        self.path = path
        self.logger = logger
        guard access(path.fileName, R_OK | X_OK) == 0 else { throw unusable("be read") }
        PartialFile.removeAbandoned(in: path)
    }

    /// Refuses a folder that nothing can be kept in.
    package func checkWritable() throws(EncoderBenchError) {
        guard access(path.fileName, R_OK | W_OK | X_OK) == 0 else { throw unusable("keep results there") }
    }

    private func unusable(_ what: String) -> EncoderBenchError {
        EncoderBenchError(.systemFailure, reason: "\(path): cannot \(what): \(String(cString: strerror(errno)))")
    }

    /// The result of a key; nil where there is none, and with a warning where the file is not what its name promises.
    package func result<Kept: KeptResult>(for key: String, as kind: Kept.Type = Kept.self) -> Kept? {
        let path = file(key, Kept.suffix)
        guard access(path.fileName, F_OK) == 0 else { return nil }
        return read(path, key: key)
    }

    /// Every result of a kind in the folder, by the names of their files.
    package func all<Kept: KeptResult>(_ kind: Kept.Type = Kept.self) throws(EncoderBenchError) -> [Kept] {
        guard let names = FolderListing.names(path) else {
            throw EncoderBenchError(
                .systemFailure, reason: "\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        return names.filter { $0.hasSuffix(Kept.suffix) }.compactMap { name in
            read(path + "/" + name, key: String(name.dropLast(Kept.suffix.count)))
        }
    }

    private func read<Kept: KeptResult>(_ path: String, key: String) -> Kept? {
        do {
            let bytes = try WholeFile.read(path, limit: Manifest.sizeLimit)
            let entry = try JSONDecoder().decode(Entry<Kept>.self, from: Data(bytes))
            guard entry.schemaVersion == Self.schemaVersion, try entry.result.key == key, entry.result.isWhole
            else { throw EncoderBenchError(.invalidPlan, reason: "it is not the result that its name promises") }
            return entry.result
        } catch {
            logger.warning("\(path) is not used: \(error)")
            return nil
        }
    }

    /// Keeps a result.
    ///
    /// - Throws: ``MediaFileError`` when the disk is full or the folder cannot be written.
    package func keep<Kept: KeptResult>(_ result: Kept) throws {
        try WholeFile.replace(
            file(try result.key, Kept.suffix), with: try JSONDocument.canonicalBytes(Entry(result: result)))
    }

    /// Pieces of a study's work whose results are here, whoever made them.
    package func count<Kept: KeptResult>(of study: Study, as kind: Kept.Type) async throws -> Int {
        var count = 0
        for piece in study.pieces {
            let work = piece[0].work
            let kept: Kept? = result(for: try work.key(with: try await EncoderBuild(of: work)))
            if kept != nil { count += 1 }
        }
        return count
    }

    private func file(_ key: String, _ suffix: String) -> String { path + "/" + key + suffix }
}
