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

    /// The same as ``reason``.
    public var description: String { reason }
}
