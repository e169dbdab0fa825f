// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of the places where a demuxer's or decoder's first error messages are kept.
///
/// It must outlive the contexts that point to it.
final class LibAVComplaints {
    private let boxes: UnsafeMutableBufferPointer<CLibAVComplaint>

    /// Makes places for messages about `count` pieces of data, 1 or more.
    init(count: Int = 1) {
        boxes = .allocate(capacity: count)
        boxes.initialize(repeating: CLibAVComplaint())
    }

    deinit {
        for piece in 0..<count { _ = releasePicture(piece) }
        boxes.deallocate()
    }

    /// Pieces of data whose messages are kept apart.
    var count: Int { boxes.count }

    /// What a context's `opaque` is set to while it works on a piece of data; pieces `count` apart share a place.
    func opaque(_ piece: Int = 0) -> UnsafeMutableRawPointer? {
        boxes.baseAddress.map { UnsafeMutableRawPointer($0 + piece % count) }
    }

    /// The first message about a piece of data since the last call, and the bytes of the file that a demuxer had used.
    func take(_ piece: Int = 0) -> (text: String, offset: Int64)? {
        guard let base = boxes.baseAddress else { return nil }
        let complaint = clibav_take_complaint(base + piece % count)
        guard complaint.is_set else { return nil }
        let words = withUnsafeBytes(of: complaint.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // What it quotes of the file may be no text at all.
        let text = words.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" }
        return (String(text), complaint.offset)
    }

    /// Lets go of the picture that was made of a piece of data and is decoded.
    ///
    /// - Returns: Whether parts of it were never written.
    func releasePicture(_ piece: Int) -> Bool {
        boxes.baseAddress.map { clibav_release_picture($0 + piece % count) } ?? false
    }
}
