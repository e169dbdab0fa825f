// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

extension Scenario {
    static let processState = Scenario(
        "process-state",
        "What the whole process shares stays as it was: folder, file mask, locale, rounding, and what signals do."
    ) { context, findings in
        for effort in context.efforts {
            _ = try await context.run(context.configuration(effort), GivenFrame.series(3))
        }
        // Another scenario may have opened the encoder that changed it.
        let (before, after) = (context.processState, ProcessState.now())
        for (name, was) in before.values {
            let isNow = after.values.first { $0.name == name }?.value ?? "nothing"
            findings.expect(was == isNow, "\(name) \(was), as before the exam", seen: isNow)
        }
        before.restore()
    }
}

/// What all code in a process shares and a library can change without a word.
struct ProcessState: Sendable {
    fileprivate let values: [(name: String, value: String)]
    private let mask: mode_t

    static func now() -> ProcessState {
        let mask = umask(0)
        umask(mask)
        var values = [("the file mask", String(mask, radix: 8))]
        let folder = getcwd(nil, 0)
        values.append(("the working folder", folder.map { String(cString: $0) } ?? "gone"))
        free(folder)
        values.append(("the locale", setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "none"))
        values.append(("the rounding mode", "\(fegetround())"))
        for signal in 1...31 {
            var action = sigaction()
            guard sigaction(CInt(signal), nil, &action) == 0 else { continue }
            let place = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            values.append(("the handler of signal \(signal)", String(place, radix: 16)))
        }
        return ProcessState(values: values, mask: mask)
    }

    private init(values: [(String, String)], mask: mode_t) {
        self.values = values.map { (name: $0.0, value: $0.1) }
        self.mask = mask
    }

    /// Puts back what later scenarios would suffer from.
    fileprivate func restore() { umask(mask) }
}
