// SPDX-License-Identifier: MIT

/// Why a listener of SRT refuses a connection, by the number that libsrt has for it: a pure value.
struct SRTRejection: Sendable, Hashable {
    /// What went wrong, for programs.
    let code: PublishingError.Code
    /// What went wrong, for people.
    let sentence: String

    /// Reads a number of `SRT_REJECT_REASON`, or from 1000 on one that the listener chose; nil for none of them.
    init?(reason: Int) {
        switch reason {
        case ..<0: return nil
        case 4, 8, 12...15, 17: (code, sentence) = (.unsupported, "the peer does not fit, SRT's reason \(reason)")
        case 10: (code, sentence) = (.forbidden, "the peer has another passphrase")
        case 11:
            (code, sentence) = (.forbidden, "the peer wants a passphrase where none is given, or the other way round")
        case 16: (code, sentence) = (.timedOut, "the peer gives no answer")
        case 0..<1000: (code, sentence) = (.closedByPeer, "the peer refused, SRT's reason \(reason)")
        case 1402: (code, sentence) = (.closedByPeer, "the peer has too much to do, SRT's reason 1402")
        case 1409, 1423: (code, sentence) = (.nameInUse, "the stream is in use, SRT's reason \(reason)")
        // Faults of a server, as those of HTTP.
        case 1424, 1500, 1502, 1503, 1507:
            (code, sentence) = (.closedByPeer, "the peer cannot take the stream now, SRT's reason \(reason)")
        case 1404: (code, sentence) = (.forbidden, "the peer knows no such stream id, SRT's reason 1404")
        default: (code, sentence) = (.forbidden, "the peer refuses the stream id, SRT's reason \(reason)")
        }
    }
}
