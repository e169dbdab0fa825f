// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Writes access units as they are, one after the other: Annex B, or length-prefixed where the session is set so.
package final class ElementaryStreamWriter: EncodedFrameWriter {
    private let file: OutputFile

    /// Creates the file.
    ///
    /// - Parameter path: "-" for standard output.
    /// - Throws: ``MediaFileError`` with `.cannotOpen`.
    package init(path: String) throws(MediaFileError) {
        file = try OutputFile(path: path)
    }

    package func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let unit = frame.accessUnit else { return }
        try file.write(unit.data)
        // Whoever reads a pipe waits for the frame.
        if !file.isRegular { try file.flush() }
    }

    package func finish() throws(MediaFileError) { try file.closeOrDiscard() }
}
