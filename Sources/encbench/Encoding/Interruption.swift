// SPDX-License-Identifier: MIT

import Glibc

/// Ctrl-C: the first lets a command finish its files, the second ends the process at once.
enum Interruption {
    /// What a shell expects of a program that SIGINT ended: 128 + 2.
    static let exitCode: Int32 = 130

    /// Calls `body` on another thread when the first SIGINT arrives, and only then.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    static func whenRaised(_ body: @escaping @Sendable () -> Void) throws(CommandFailure) {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        guard sem_init(semaphore, 0, 0) == 0 else { throw CommandFailure("no semaphore (error \(errno))") }
        raised = semaphore
        // Never freed: the handler may run as long as the process does.
        let address = UInt(bitPattern: semaphore)
        try Thread.start {
            guard let semaphore = UnsafeMutablePointer<sem_t>(bitPattern: address) else { return }
            while sem_wait(semaphore) != 0 && errno == EINTR {}
            body()
        }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            // sem_post is one of the few calls that a signal handler may make (signal-safety(7)).
            if let raised { sem_post(raised) }
        }
        // The second signal finds the default action, which ends the process.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        guard sigaction(SIGINT, &action, nil) == 0 else { throw CommandFailure("no handler (error \(errno))") }
    }
}

/// What the handler posts to.
///
/// Unsafe: written once, before the handler that reads it is installed; a constant initial value needs no initializer to run.
nonisolated(unsafe) private var raised: UnsafeMutablePointer<sem_t>?
