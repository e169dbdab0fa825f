// SPDX-License-Identifier: MIT

/// Fuzzes what WebSocketPublishing reads of anybody, with swift-nio around it: libFuzzer's driver, called with the
/// target that the program is called by the name of.
@main enum FuzzWebSocket {
    /// The targets by their names.
    private static let targets: [String: @Sendable ([UInt8]) -> Void] = [
        "WebSocketMessages": checkMessages, "WebSocketRequests": checkRequests,
    ]

    nonisolated(unsafe) private static var target: ([UInt8]) -> Void = { _ in }  // Written before libFuzzer begins.

    static func main() {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        guard let target = targets[name] else {
            fatalError("there is no target \(name); call this program through a link with the name of one")
        }
        self.target = target
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        _ = runFuzzer(&count, &arguments) { start, count in
            FuzzWebSocket.target(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        }
    }
}

/// libFuzzer's driver, which the sanitizer brings.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Stops the program, also an optimised one, with a message when something does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    guard condition else { fatalError(what()) }
}
