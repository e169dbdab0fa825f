// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Takes the frames of one session, in the order they come; used by one task or thread at a time.
package protocol EncodedFrameWriter: AnyObject {
    /// Writes one frame; dropped frames leave nothing. Blocks while it does.
    ///
    /// - Throws: ``MediaFileError``; what was written before stays.
    func write(_ frame: EncodedFrame) throws(MediaFileError)

    /// Completes and closes the file. Call it also after a failed encode, so that the file holds what was encoded.
    ///
    /// When no frame was written, an older file of the name stays as it was, and a new one goes away.
    func finish() throws(MediaFileError)
}
