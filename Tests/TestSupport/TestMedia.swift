// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The folder of larger test clips and streams, which is not part of the repository.
///
/// Tests that read from it carry `.requiresMedia(_:)`, so that they are skipped where it is absent.
public enum TestMedia {
    /// The environment variable that names the folder.
    public static let environmentVariable = "ENCODERKIT_MEDIA"

    /// The folder's path, or nil when the variable is unset or empty.
    public static var root: String? {
        guard let root = ProcessInfo.processInfo.environment[environmentVariable], !root.isEmpty else {
            return nil
        }
        return root
    }

    /// Returns the path of one file or folder.
    ///
    /// - Parameter name: The path below ``root``, such as `clips/carphone_qcif_120f.y4m`.
    /// - Returns: A path that exists.
    /// - Throws: ``TestMediaError`` that says which path is missing, or that the variable is.
    public static func path(_ name: String) throws(TestMediaError) -> String {
        guard let root else {
            throw TestMediaError(reason: "\(environmentVariable) is not set")
        }
        let path = "\(root)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else {
            throw TestMediaError(reason: "\(path) does not exist")
        }
        return path
    }

    /// Returns the names of the files in one folder, sorted.
    ///
    /// - Parameter folder: The path below ``root``, such as `streams/h264`.
    /// - Returns: File names without the folder.
    /// - Throws: ``TestMediaError`` when the folder is missing or cannot be listed.
    public static func files(in folder: String) throws(TestMediaError) -> [String] {
        let path = try path(folder)
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw TestMediaError(reason: "cannot list \(path): \(error)")
        }
    }

    /// One line of `MANIFEST.tsv`.
    public struct Entry: Sendable, Hashable {
        /// The path below ``root``.
        public var path: String
        /// FFmpeg's name of the codec, such as `h264`.
        public var codec: String
        /// Whether FFmpeg's `trace_headers` prints all of its headers, for FFmpeg 5.1 and a newer one: `ok/ok`.
        public var trace: String
    }

    /// The files that `MANIFEST.tsv` lists; none without it, so that it can be a test's argument.
    public static let manifest: [Entry] = {
        guard let bytes = try? bytes("MANIFEST.tsv") else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count > 10 else { return nil }
            return Entry(path: columns[0], codec: columns[3], trace: columns[10])
        }
    }()

    /// Returns the whole content of one file.
    ///
    /// - Parameter name: The path below ``root``.
    /// - Returns: Its bytes.
    /// - Throws: ``TestMediaError`` when the file is missing or cannot be read.
    public static func bytes(_ name: String) throws(TestMediaError) -> [UInt8] {
        let path = try path(name)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TestMediaError(reason: "cannot read \(path)")
        }
        return [UInt8](data)
    }
}

/// Why a file of ``TestMedia`` cannot be used.
public struct TestMediaError: Error, Sendable, CustomStringConvertible {
    /// What is missing, with its path.
    public let reason: String

    /// The ``reason``.
    public var description: String { reason }
}
