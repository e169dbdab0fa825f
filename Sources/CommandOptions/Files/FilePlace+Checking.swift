// SPDX-License-Identifier: MIT

package import MediaFiles

extension FilePlace {
    /// Refuses to write to a file that is read, or written otherwise, by the same command.
    ///
    /// The standard streams, and devices such as /dev/null, may be named twice.
    ///
    /// - Parameters:
    ///   - path: The file to be written.
    ///   - others: What the command has it for already, such as "the input", with each path.
    /// - Throws: ``CommandFailure`` that names the file.
    package static func check(_ path: String, isNone others: [(what: String, path: String)]) throws(CommandFailure) {
        guard path != "-", let other = others.first(where: { isSame($0.path, path) }) else { return }
        throw CommandFailure(.sameFile, "\(path): is \(other.what) too; write to another file")
    }
}
