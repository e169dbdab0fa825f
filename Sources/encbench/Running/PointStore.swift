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

    private struct Entry: Codable {
        var schemaVersion = PointStore.schemaVersion
        var result: PointResult

        enum CodingKeys: String, CodingKey {
            case result
            case schemaVersion = "schema_version"
        }
    }

    static let schemaVersion = 1
    private static let suffix = ".point.json"

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
    func result(for key: String) -> PointResult? {
        let path = file(key)
        guard access(path.fileName, F_OK) == 0 else { return nil }
        return read(path, key: key)
    }

    /// Every result in the folder, by the names of their files.
    func all() throws(CommandFailure) -> [PointResult] {
        guard let folder = opendir(path.fileName) else {
            throw CommandFailure("\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(Self.suffix) { names.append(name) }
        }
        return names.sorted().compactMap { name in
            read(path + "/" + name, key: String(name.dropLast(Self.suffix.count)))
        }
    }

    private func read(_ path: String, key: String) -> PointResult? {
        do {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(try WholeFile.read(path)))
            guard entry.schemaVersion == Self.schemaVersion, try entry.result.key == key,
                entry.result.frames.isComplete(for: entry.result.work.metrics)
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
    func keep(_ result: PointResult) throws {
        try WholeFile.write(try JSONDocument.canonicalBytes(Entry(result: result)), to: file(try result.key))
    }

    private func file(_ key: String) -> String { path + "/" + key + Self.suffix }
}
