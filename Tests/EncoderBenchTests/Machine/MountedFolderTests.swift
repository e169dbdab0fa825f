// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderBench

@Suite struct MountedFolderTests {
    private static let mounts = """
        overlay / overlay rw 0 0
        proc /proc proc rw 0 0
        tmpfs /tmp tmpfs rw 0 0
        /dev/sda1 /tmp/disk ext4 rw 0 0
        none /dev/shm ext4 rw 0 0
        none /dev/shm tmpfs rw 0 0
        damaged
        """

    @Test(
        "a path is on the file system whose folder is the nearest above it",
        arguments: [
            ("/tmp", "tmpfs"), ("/tmp/a/b", "tmpfs"), ("/tmp/disk/a", "ext4"), ("/tmpfile", "overlay"),
            ("/", "overlay"),
            ("/dev/shm/x", "tmpfs"),
        ])
    func types(path: String, type: String) { #expect(MountedFolder.type(of: path, mounts: Self.mounts) == type) }

    @Test("what the system does not tell is on no known file system")
    func unknown() {
        #expect(MountedFolder.type(of: "/tmp", mounts: "") == nil)
        #expect(MountedFolder.type(of: "/tmp", mounts: "tmpfs /tmp") == nil)
        #expect(!MountedFolder.isInMemory("/nowhere/at/all") && !MountedFolder.isInMemory("/proc"))
    }
}
