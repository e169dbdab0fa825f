// SPDX-License-Identifier: MIT

extension OperationSequence: CustomStringConvertible {
    /// The sequence as Swift that can be pasted into a test.
    public var description: String {
        var lines = ["var pretence = Pretence()"]
        let plain = Mirror(reflecting: Pretence()).children.map { "\($0.value)" }
        for (child, usual) in zip(Mirror(reflecting: pretence).children, plain) where "\(child.value)" != usual {
            lines.append("pretence.\(child.label ?? "") = \(Self.literal(child.value))")
        }
        lines.append("let sequence = OperationSequence(pretence, [")
        lines += operations.map { "    \($0)," }
        return (lines + ["])"]).joined(separator: "\n")
    }

    private static func literal(_ value: Any) -> String {
        switch value {
        case let ending as Pretence.Ending: ".\(ending)"
        case let delivery as Pretence.Delivery: ".\(delivery)"
        case let limits as Pretence.Limits: ".\(limits)"
        case let statement as Pretence.Statement: ".\(statement)"
        case Optional<Int>.some(let number): "\(number)"
        default: "\(value)"
        }
    }
}

extension Operation: CustomStringConvertible {
    /// The operation as Swift.
    public var description: String {
        switch self {
        case .encode(let frame): ".encode(\(frame))"
        case .encodeImmediately(let frame): ".encodeImmediately(\(frame))"
        case .update(let change): ".update(.\(change))"
        case .resize(let size): ".resize(.\(size))"
        case .recolor(let color): ".recolor(.\(color))"
        case .requestKeyFrame: ".requestKeyFrame"
        case .prepare: ".prepare"
        case .complete(let time): ".complete(through: \(time.map(String.init) ?? "nil"))"
        case .finish: ".finish"
        case .invalidate: ".invalidate"
        case .read: ".read"
        case .stopReading: ".stopReading"
        case .readTwice: ".readTwice"
        case .synchronously(let operation): ".synchronously(\(operation))"
        case .answered(let operation): ".answered(\(operation))"
        case .cancelled(let operation, let after): ".cancelled(\(operation), after: \(after))"
        case .together(let operations): ".together([\(operations.map(\.description).joined(separator: ", "))])"
        }
    }
}

extension Operation.Frame: CustomStringConvertible {
    /// The frame as Swift.
    public var description: String {
        var words = ["\(time)"]
        if picture != .fine || fate != .coded { words.append(".\(picture)") }
        if fate != .coded { words.append(".\(fate)") }
        if force { words.append("force: true") }
        return ".init(\(words.joined(separator: ", ")))"
    }
}
