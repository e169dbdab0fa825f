// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A new folder for the files of one test.
public struct TemporaryDirectory: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// Returns the path of a file in the folder, which need not exist.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: An absolute path.
    public func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file into the folder.
    ///
    /// - Parameters:
    ///   - bytes: Its whole content.
    ///   - name: The file's name; one that exists is replaced.
    /// - Returns: The file's absolute path.
    /// - Throws: What the file system reports.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Reads a file of the folder.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: Its whole content.
    /// - Throws: What the file system reports.
    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}

/// Makes an empty folder, runs `body`, and removes the folder with everything in it, also when `body` throws.
///
/// - Parameter body: Uses the folder; its path is of no use afterwards.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or the file system when the folder cannot be made.
public func withTemporaryDirectory<Result>(
    _ body: (TemporaryDirectory) async throws -> Result
) async throws -> Result {
    let manager = FileManager.default
    let url = manager.temporaryDirectory.appending(path: "encoderkit-\(UUID().uuidString)")
    try manager.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? manager.removeItem(at: url) }
    return try await body(TemporaryDirectory(path: url.path))
}
