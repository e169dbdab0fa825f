// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of the place where a demuxer's or decoder's first error message is kept.
///
/// It must outlive the context that points to it.
package final class LibAVComplaints {
    private let box: UnsafeMutablePointer<CLibAVComplaint>

    package init() {
        box = .allocate(capacity: 1)
        box.initialize(to: CLibAVComplaint())
    }

    deinit {
        _ = releasePicture()
        box.deallocate()
    }

    /// What a context's `opaque` is set to.
    package var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(box) }

    /// The first message since the last call, and the bytes of the file that a demuxer had used by then.
    package func take() -> (text: String, offset: Int64)? {
        // Asked for each packet, and nearly always in vain.
        guard clibav_has_complaint(box) else { return nil }
        let complaint = clibav_take_complaint(box)
        guard complaint.is_set else { return nil }
        let words = withUnsafeBytes(of: complaint.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // What it quotes of the file may be no text at all.
        let text = words.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" }
        return (String(text), complaint.offset)
    }

    /// Lets go of the picture that was decoded last, where pictures are kept.
    ///
    /// - Returns: Whether parts of it were never written.
    package func releasePicture() -> Bool { clibav_release_picture(box) }
}
