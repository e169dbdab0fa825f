// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import Glibc
import Logging
import MediaFiles

/// Results kept in a folder, one file each, named by what was asked and what encoded it.
///
/// A file appears whole or not at all, whatever happens to the process, so several processes and machines may share a
/// folder.
struct PointStore: Sendable {
    /// The folder.
    let path: String
    let logger: Logger

    private struct Entry<Kept: KeptResult>: Codable {
        var schemaVersion = PointStore.schemaVersion
        var result: Kept

        enum CodingKeys: String, CodingKey {
            case result
            case schemaVersion = "schema_version"
        }
    }

    static let schemaVersion = 1

    /// Bytes that a result or a plan may have: those of a million frames and more.
    static let sizeLimit = 1 << 28

    /// Uses a folder; makes it where it is missing, and removes what writers that were killed left half-written.
    ///
    /// - Throws: ``CommandFailure`` when nothing can be kept there.
    init(path: String, logger: Logger) throws(CommandFailure) {
        self.path = path
        self.logger = logger
        guard mkdir(path.fileName, 0o777) == 0 || errno == EEXIST else { throw unusable("keep results there") }
        try checkWritable()
        PartialFile.removeAbandoned(in: path)
    }

    /// Uses the results of a folder, which need not be writable.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    init(reading path: String, logger: Logger) throws(CommandFailure) {
        self.path = path
        self.logger = logger
        guard access(path.fileName, R_OK | X_OK) == 0 else { throw unusable("be read") }
        PartialFile.removeAbandoned(in: path)
    }

    /// Refuses a folder that nothing can be kept in.
    func checkWritable() throws(CommandFailure) {
        guard access(path.fileName, R_OK | W_OK | X_OK) == 0 else { throw unusable("keep results there") }
    }

    private func unusable(_ what: String) -> CommandFailure {
        CommandFailure("\(path): cannot \(what): \(String(cString: strerror(errno)))")
    }

    /// The result of a key; nil where there is none, and with a warning where the file is not what its name promises.
    func result<Kept: KeptResult>(for key: String, as kind: Kept.Type = Kept.self) -> Kept? {
        let path = file(key, Kept.suffix)
        guard access(path.fileName, F_OK) == 0 else { return nil }
        return read(path, key: key)
    }

    /// Every result of a kind in the folder, by the names of their files.
    func all<Kept: KeptResult>(_ kind: Kept.Type = Kept.self) throws(CommandFailure) -> [Kept] {
        guard let names = FolderListing.names(path) else {
            throw CommandFailure("\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        return names.filter { $0.hasSuffix(Kept.suffix) }.compactMap { name in
            read(path + "/" + name, key: String(name.dropLast(Kept.suffix.count)))
        }
    }

    private func read<Kept: KeptResult>(_ path: String, key: String) -> Kept? {
        do {
            let bytes = try WholeFile.read(path, limit: Self.sizeLimit)
            let entry = try JSONDecoder().decode(Entry<Kept>.self, from: Data(bytes))
            guard entry.schemaVersion == Self.schemaVersion, try entry.result.key == key, entry.result.isWhole
            else { throw CommandFailure("it is not the result that its name promises") }
            return entry.result
        } catch {
            logger.warning("\(path) is not used: \(error)")
            return nil
        }
    }

    /// Keeps a result.
    ///
    /// - Throws: ``MediaFileError`` when the disk is full or the folder cannot be written.
    func keep<Kept: KeptResult>(_ result: Kept) throws {
        try WholeFile.replace(
            file(try result.key, Kept.suffix), with: try JSONDocument.canonicalBytes(Entry(result: result)))
    }

    /// Pieces of a study's work whose results are here, whoever made them.
    func count<Kept: KeptResult>(of study: Study, as kind: Kept.Type) async throws -> Int {
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
