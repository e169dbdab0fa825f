// SPDX-License-Identifier: MIT

import EncoderBench

/// What became of one case of an encoder: whether it works, in numbers that can be compared.
struct SelfTest: Codable, Equatable, Sendable {
    /// What a case ends in.
    enum Verdict: String, Codable, Sendable {
        /// Every picture came out, decodes, and shows what was given.
        case works
        /// Something came out, and not what was asked for.
        case damaged
        /// Nothing came out, and an error says why.
        case refused
        /// A first picture was not coded within a second.
        case late
        /// All came out; libavcodec, which would decode it, is not there.
        case undecoded
        /// There was no time left.
        case untried
    }

    /// The encoder's identity.
    let encoder: String
    /// "8 bit, qp 30".
    let name: String
    var width = 0
    var height = 0
    /// Pictures given.
    var frames = 0
    /// Bytes of each access unit in decode order.
    var sizes: [Int] = []
    /// Kinds of the pictures in decode order: "ippbb".
    var types = ""
    /// SHA-256 of all access units, with start codes.
    var streamSHA256: String?
    /// Why pictures are not in the stream.
    var dropped: [String] = []
    /// Pictures that libavcodec makes of the stream; nil without libavcodec.
    var decodedFrames: Int?
    /// Of luma, in dB, over all pictures; nil where no picture was decoded, or all are equal.
    var lumaPSNR: Double?
    /// What the session did otherwise than asked.
    var adjustments: [String] = []
    /// What ended it early.
    var error: String?
    var verdict = Verdict.untried
    /// How it is damaged and from which picture on, or who refused it; nil where it works.
    var finding: String?

    enum CodingKeys: String, CodingKey {
        case encoder, width, height, frames, sizes, types, dropped, adjustments, error, verdict, finding
        case name = "case"
        case streamSHA256 = "stream_sha256"
        case decodedFrames = "decoded_frames"
        case lumaPSNR = "psnr_y_db"
    }

    /// Whether somebody has to look at it.
    var isDamaged: Bool { verdict == .damaged }
}
