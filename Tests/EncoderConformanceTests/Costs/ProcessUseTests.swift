// SPDX-License-Identifier: MIT

@testable import EncoderConformance
import Glibc
import Testing

/// Sanitizers have allocators of their own, which keep what was freed.
@Suite(.enabled(if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil, "needs glibc's malloc"))
struct ProcessUseTests {
    @Test("what was freed and the allocator keeps does not count as memory")
    func freed() throws {
        let (count, size) = (16_384, 4096)
        let before = try #require(ProcessUse.trimmed())
        var blocks = (0..<count).compactMap { _ in malloc(size) }
        for block in blocks { memset(block, 1, size) }
        let taken = try #require(ProcessUse.trimmed())
        #expect(taken.residentBytes - before.residentBytes > count * size / 2)
        // The last one lies above the others, so that the allocator does not give them back by itself.
        let last = malloc(size)
        for block in blocks { free(block) }
        blocks = []
        let after = try #require(ProcessUse.trimmed())
        #expect(after.residentBytes - before.residentBytes < count * size / 4)
        free(last)
    }
}
