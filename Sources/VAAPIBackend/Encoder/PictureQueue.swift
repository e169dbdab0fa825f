// SPDX-License-Identifier: MIT

import EncoderAPI

/// Pictures that were given to a driver, or should have been, in coding order until they come out.
struct PictureQueue<Submission> {
    /// A picture on its way out.
    struct Entry {
        let id: Int
        /// What the driver has; nil where it has nothing.
        let submission: Submission?
        let isIDR: Bool
        /// Why it is not part of the stream, even if the driver codes it; nil where it is.
        fileprivate(set) var loss: PictureLoss?
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    /// The picture that comes out next.
    var first: Entry? { entries.first }

    mutating func append(_ submission: Submission, id: Int, isIDR: Bool) {
        entries.append(Entry(id: id, submission: submission, isIDR: isIDR))
    }

    mutating func append(lost id: Int, _ loss: EncoderError) {
        entries.append(Entry(id: id, submission: nil, isIDR: false, loss: PictureLoss(loss)))
    }

    mutating func removeFirst() { entries.removeFirst() }

    /// Gives up the pictures that may be predicted from one that was lost before them: all up to the next IDR picture.
    mutating func loseDependents(_ loss: EncoderError) {
        for index in entries.indices {
            if entries[index].isIDR { return }
            if entries[index].loss == nil { entries[index].loss = PictureLoss(loss) }
        }
    }
}

/// Why a picture is not part of the stream; a class, so that one reference tells of the many that have no such reason.
final class PictureLoss {
    let error: EncoderError

    fileprivate init(_ error: EncoderError) { self.error = error }
}
