// SPDX-License-Identifier: MIT

import EncoderAPI

/// Pictures that were given to a driver, or should have been, in coding order until they come out.
struct PictureQueue<Submission> {
    /// A picture on its way out; a class, so that it moves through the queue as one reference.
    final class Entry {
        let id: Int
        /// What the driver has; nil where it has nothing.
        let submission: Submission?
        let isIDR: Bool
        /// Why it is not part of the stream, even if the driver codes it; nil where it is.
        fileprivate(set) var loss: EncoderError?

        fileprivate init(_ id: Int, _ submission: Submission?, isIDR: Bool, loss: EncoderError?) {
            (self.id, self.submission, self.isIDR, self.loss) = (id, submission, isIDR, loss)
        }
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    /// The picture that comes out next.
    var first: Entry? { entries.first }

    mutating func append(_ submission: Submission, id: Int, isIDR: Bool) {
        entries.append(Entry(id, submission, isIDR: isIDR, loss: nil))
    }

    mutating func append(lost id: Int, _ loss: EncoderError) {
        entries.append(Entry(id, nil, isIDR: false, loss: loss))
    }

    mutating func removeFirst() { entries.removeFirst() }

    /// Gives up the pictures that may be predicted from one that was lost before them: all up to the next IDR picture.
    mutating func loseDependents(_ loss: EncoderError) {
        for entry in entries {
            if entry.isIDR { return }
            entry.loss = entry.loss ?? loss
        }
    }
}
