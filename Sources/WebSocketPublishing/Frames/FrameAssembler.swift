// SPDX-License-Identifier: MIT

/// Puts binary messages together of the frames of a connection, which anybody may have sent (RFC 6455, 5).
///
/// A pure value; after ``Outcome/failed(_:_:)`` it takes nothing more.
struct FrameAssembler: Sendable {
    /// A frame whose payload is not masked any more.
    struct Frame: Sendable, Hashable {
        var isFinal = true
        /// 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong.
        var opcode = 2
        var hasReservedBits = false
        var isMasked = true
        var payload: [UInt8] = []
    }

    /// What comes of a frame.
    enum Outcome: Sendable, Hashable {
        /// Nothing yet.
        case nothing
        case message([UInt8])
        /// To be answered with the same bytes.
        case ping([UInt8])
        case pong
        /// The peer closes, for a reason it may have told.
        case closed(Int?)
        /// The connection is to be closed with a code.
        case failed(CloseCode, String)
    }

    /// Frames that a message is made of at most: empty ones would never reach a limit of bytes.
    static let mostFrames = 1024

    /// Bytes of a message at most.
    private let limit: Int
    /// Whether frames have to be masked, as those of clients have to be and those of servers must not be.
    private let expectsMasks: Bool
    /// Whether messages of text are read and forgotten; else they end the connection.
    private let passesOverText: Bool
    /// Of the message that is under way; nil where none is.
    private var message: [UInt8]?
    private var frameCount = 0
    private var isText = false
    private var isOver = false

    /// Makes one without a message under way.
    init(limit: Int, expectsMasks: Bool, passesOverText: Bool = false) {
        (self.limit, self.expectsMasks, self.passesOverText) = (limit, expectsMasks, passesOverText)
    }

    /// Bytes that are held.
    var byteCount: Int { message?.count ?? 0 }

    /// Takes the next frame.
    mutating func take(_ frame: Frame) -> Outcome {
        guard !isOver else { return .nothing }
        let outcome = judge(frame)
        switch outcome {
        case .failed, .closed: (isOver, message) = (true, nil)
        default: break
        }
        return outcome
    }

    private mutating func judge(_ frame: Frame) -> Outcome {
        guard !frame.hasReservedBits else { return .failed(.protocolError, "reserved bits without an extension") }
        guard frame.isMasked == expectsMasks else {
            return .failed(.protocolError, expectsMasks ? "a frame without a mask" : "a frame of a server with a mask")
        }
        switch frame.opcode {
        case 8, 9, 10: return control(frame)
        case 0:
            guard message != nil else { return .failed(.protocolError, "a continuation of nothing") }
            return add(frame)
        case 1 where !passesOverText: return .failed(.unsupportedData, "a message of text, expected a binary one")
        case 1, 2:
            guard message == nil else { return .failed(.protocolError, "a message within another") }
            (message, frameCount, isText) = ([], 0, frame.opcode == 1)
            return add(frame)
        default: return .failed(.protocolError, "opcode \(frame.opcode), expected 0, 1, 2, 8, 9 or 10")
        }
    }

    private func control(_ frame: Frame) -> Outcome {
        guard frame.isFinal, frame.payload.count <= 125 else {
            return .failed(.protocolError, "a control frame in parts, or of more than 125 bytes")
        }
        switch frame.opcode {
        case 9: return .ping(frame.payload)
        case 10: return .pong
        default:
            guard !frame.payload.isEmpty else { return .closed(nil) }
            guard frame.payload.count >= 2 else { return .failed(.protocolError, "half a code of closing") }
            let code = Int(frame.payload[0]) << 8 | Int(frame.payload[1])
            guard CloseCode.isLegal(code) else {
                return .failed(.protocolError, "code \(code) of closing, which nobody sends")
            }
            guard String(validating: frame.payload[2...], as: UTF8.self) != nil else {
                return .failed(.invalidPayload, "a reason of closing that is not UTF-8")
            }
            return .closed(code)
        }
    }

    private mutating func add(_ frame: Frame) -> Outcome {
        frameCount += 1
        guard byteCount + frame.payload.count <= limit, frameCount <= Self.mostFrames else {
            return .failed(.tooLarge, "a message of more than \(limit) bytes or \(Self.mostFrames) frames")
        }
        // The only reference, so that a long message is not copied with each of its frames.
        var whole = message ?? []
        message = nil
        whole += frame.payload
        guard frame.isFinal else {
            message = whole
            return .nothing
        }
        return isText ? .nothing : .message(whole)
    }
}
