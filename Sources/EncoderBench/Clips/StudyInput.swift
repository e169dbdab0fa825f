// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc
import MediaFiles

/// An input as a study needs it: a file that can be read again, with its digest.
package struct StudyInput {
    /// Where it is read from.
    package let path: String
    /// SHA-256 of its bytes.
    package let digest: String

    /// Reads an input once; what cannot be read twice, a pipe or standard input, is copied to a file without a name
    /// that lasts as long as the process.
    ///
    /// - Parameters:
    ///   - path: "-" for standard input.
    ///   - interruption: Ends the reading when it happens.
    /// - Throws: ``MediaFileError``, ``EncoderBenchError``; ``Interrupted``.
    package init(reading path: String, interruption: OneShotEvent = OneShotEvent()) throws {
        let file = try InputFile(path: path)
        let copy = file.size == nil || path == "-" ? try UnnamedFile() : nil
        var hash = SHA256()
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            while true {
                let count = try file.read(into: buffer)
                guard count > 0 else { break }
                if interruption.hasHappened { throw Interrupted() }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
                hash.update(bytes)
                try copy?.write(bytes)
            }
        }
        digest = hash.finish()
        copy?.outlive()
        self.path = copy?.path ?? Self.absolute(path)
    }

    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path.fileName, nil) else { return path }
        defer { free(resolved) }
        return String(fileName: resolved)
    }
}
