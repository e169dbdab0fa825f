// SPDX-License-Identifier: MIT

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

    /// Uses a folder; makes it where it is missing.
    ///
    /// - Throws: ``CommandFailure`` when nothing can be kept there.
    init(path: String, logger: Logger) throws(CommandFailure) {
        self.path = path
        self.logger = logger
        guard mkdir(path.fileName, 0o777) == 0 || errno == EEXIST, access(path.fileName, R_OK | W_OK | X_OK) == 0 else {
            throw CommandFailure("\(path): cannot keep results there: \(String(cString: strerror(errno)))")
        }
    }

    /// The result of a key; nil where there is none, and with a warning where the file is not what its name promises.
    func result<Kept: KeptResult>(for key: String, as kind: Kept.Type = Kept.self) -> Kept? {
        let path = file(key, Kept.suffix)
        guard access(path.fileName, F_OK) == 0 else { return nil }
        return read(path, key: key)
    }

    /// Every result of a kind in the folder, by the names of their files.
    func all<Kept: KeptResult>(_ kind: Kept.Type = Kept.self) throws(CommandFailure) -> [Kept] {
        guard let folder = opendir(path.fileName) else {
            throw CommandFailure("\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(Kept.suffix) { names.append(name) }
        }
        return names.sorted().compactMap { name in
            read(path + "/" + name, key: String(name.dropLast(Kept.suffix.count)))
        }
    }

    private func read<Kept: KeptResult>(_ path: String, key: String) -> Kept? {
        do {
            let entry = try JSONDecoder().decode(Entry<Kept>.self, from: Data(try WholeFile.read(path)))
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
        try WholeFile.write(
            try JSONDocument.canonicalBytes(Entry(result: result)), to: file(try result.key, Kept.suffix))
    }

    private func file(_ key: String, _ suffix: String) -> String { path + "/" + key + suffix }
}
