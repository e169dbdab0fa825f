// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import CommandOptions

@Suite struct OneShotEventTests {
    @Test("actions run once, whether they are added before or after")
    func actions() async {
        let event = OneShotEvent()
        let count = Mutex(0)
        event.whenSignalled { count.withLock { $0 += 1 } }
        #expect(!event.hasHappened && count.withLock { $0 } == 0)
        event.signal()
        event.signal()
        event.whenSignalled { count.withLock { $0 += 10 } }
        #expect(event.hasHappened && count.withLock { $0 } == 11)
        await event.wait()
    }

    @Test("waiting tasks go on when it happens")
    func waiting() async {
        let event = OneShotEvent()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { await event.wait() } }
            group.addTask { event.signal() }
        }
        #expect(event.hasHappened)
    }
}

@Suite struct ThreadExecutorTests {
    @Test("a task that blocks its own thread holds up nobody, and comes back to it after waiting")
    func ownThread() async throws {
        let executor = try ThreadExecutor()
        let gate = BlockingWait()
        let event = OneShotEvent()
        let blocked = Task(executorPreference: executor) {
            let before = currentThread()
            await event.wait()
            gate.wait()
            return before == currentThread()
        }
        // More tasks than the pool has threads, all of which must run while the one above blocks.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { await Task.yield() } }
        }
        event.signal()
        gate.release()
        #expect(await blocked.value)
        executor.stop()
    }
}
