// SPDX-License-Identifier: MIT

import Glibc
import MediaFiles

/// Folders that last longer than the process may: in `TMPDIR`, or else in /tmp.
package enum TemporaryFolder {
    /// Makes an empty folder that only this user reads.
    ///
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure`` that names the folder it was to be in.
    package static func make() throws(CommandFailure) -> String {
        let parent = getenv("TMPDIR").map { String(fileName: $0) } ?? "/tmp"
        // The six letters are what mkdtemp makes a name of.
        var template = (parent + "/encbench-XXXXXX").fileName
        guard mkdtemp(&template) != nil else {
            throw CommandFailure("\(parent): cannot make a folder there: \(String(cString: strerror(errno)))")
        }
        return template.withUnsafeBufferPointer { FileName.text($0.dropLast().map { UInt8(bitPattern: $0) }) }
    }
}
