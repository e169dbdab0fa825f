// SPDX-License-Identifier: MIT

/// The transfer that a session was given, and which pictures it is for.
struct GivenTransfer: Sendable {
    private let transfer: any PixelTransfer
    /// Whether it is for pictures of the session's own format and size too.
    private let isForAll: Bool

    /// Nil without a transfer.
    init?(_ transfer: (any PixelTransfer)?) {
        guard let transfer else { return nil }
        (self.transfer, isForAll) = (transfer, transfer.changesEveryPicture)
    }

    /// The transfer that a picture needs to become one of `source`; nil where it goes by.
    func transfer(for picture: PixelBuffer, to source: SourceFormat) -> (any PixelTransfer)? {
        // In this order, since nearly all have the shape: the transfer is copied where it is looked at.
        isForAll || !source.hasShape(of: picture) ? transfer : nil
    }
}
