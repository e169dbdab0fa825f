// SPDX-License-Identifier: MIT

import Glibc

/// Signals that ask a program to end: the first lets a command finish its files, the second ends the process at once.
package enum Interruption {
    /// Ctrl-C, what `kill` and a shutting system send, and a terminal that goes away.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The status that a shell expects of a program that the signal ended: 128 and the signal's number.
    ///
    /// 130 before any signal came.
    package static var exitCode: Int32 { 128 + (received == 0 ? SIGINT : received) }

    /// Calls `body` on another thread when the first of the signals arrives, and only then.
    ///
    /// SIGHUP stays ignored where the process was started so, as by `nohup`. SIGINT does not: a shell starts all its
    /// background commands so, and `kill -INT` is meant.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    package static func whenRaised(_ body: @escaping @Sendable () -> Void) throws(CommandFailure) {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        guard sem_init(semaphore, 0, 0) == 0 else {
            throw CommandFailure(.noSignalHandler, "no semaphore (error \(errno))")
        }
        raised = semaphore
        // Never freed: the handler may run as long as the process does.
        let address = UInt(bitPattern: semaphore)
        try Thread.start {
            guard let semaphore = UnsafeMutablePointer<sem_t>(bitPattern: address) else { return }
            while sem_wait(semaphore) != 0 && errno == EINTR {}
            body()
        }
        for signal in signals { try handle(signal) }
    }

    private static func handle(_ signal: Int32) throws(CommandFailure) {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else {
            throw CommandFailure(.noSignalHandler, "no handler (error \(errno))")
        }
        if signal == SIGHUP, unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored { return }
        action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // One signal is enough: the next, of whatever kind, finds the default action, which ends the process.
            // sigaction and sem_post are among the few calls that a handler may make (signal-safety(7)).
            received = signal
            var usual = sigaction()
            usual.__sigaction_handler.sa_handler = nil
            sigaction(SIGINT, &usual, nil)
            sigaction(SIGTERM, &usual, nil)
            sigaction(SIGHUP, &usual, nil)
            if let raised { sem_post(raised) }
        }
        action.sa_flags = SA_RESTART
        guard sigaction(signal, &action, nil) == 0 else {
            throw CommandFailure(.noSignalHandler, "no handler (error \(errno))")
        }
    }

    /// SIG_IGN, which C defines as a cast that Swift does not import.
    private static let ignored = 1
}

/// Ends work that was asked to end before there was anything to report; a program then ends as its signal has it.
package struct Interrupted: Error, Equatable {
    /// Says nothing but that.
    package init() {}
}

/// What the handler posts to.
///
/// Unsafe: written once, before the handler that reads it is installed; a constant initial value needs no initializer
/// to run.
nonisolated(unsafe) private var raised: UnsafeMutablePointer<sem_t>?

/// The signal that came; 0 before.
///
/// Unsafe: an aligned word that only the handler writes.
nonisolated(unsafe) private var received: Int32 = 0
