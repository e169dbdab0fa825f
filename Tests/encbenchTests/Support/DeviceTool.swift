// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

/// The built program on a driver that needs no GPU.
enum DeviceTool {
    /// Where `make softva` and `make i915-shim` build.
    private static let builds =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/") + "/.build"
    /// The driver that encodes on the CPU.
    static let softva = ExternalProgram(builds + "/softva/softva_drv_video.so")
    /// What stands in for the kernel's device.
    static let shim = ExternalProgram(builds + "/i915-shim/i915-shim.so")
    /// Intel's own driver.
    private static let intelDriver = "/usr/lib/x86_64-linux-gnu/dri/iHD_drv_video.so"
    static var hasIntelDriver: Bool { FileManager.default.fileExists(atPath: intelDriver) }

    /// Runs `encbench` on softva, behind an X server of its own; `folder` gets `recon.yuv`, what the driver
    /// reconstructed, and `report`, what it objects to.
    @discardableResult
    static func onSoftva(
        _ arguments: [String], as personality: String = "strict", faults: String = "",
        in folder: borrowing TemporaryDirectory
    ) async throws -> ExternalProgram.Output {
        try await ExternalProgram("env").run(
            [
                "LIBVA_DRIVERS_PATH=\(builds)/softva", "LIBVA_DRIVER_NAME=softva", "SOFTVA_PERSONALITY=\(personality)",
                "SOFTVA_FAULT=\(faults)", "SOFTVA_RECON=\(folder.path("recon.yuv"))",
                "SOFTVA_REPORT=\(folder.path("report"))", "bash", "-c",
                behindXServer, "bash", CommandLineTool.encbench.name,
            ] + arguments)
    }

    /// Runs its arguments with an X server that chooses its number itself: xvfb-run -a may lose a race for one.
    ///
    /// Of several servers that start at once where the folder of their sockets is missing, one may fail to make it and
    /// go on without a socket there. What a server says is shown where the arguments fail.
    private static let behindXServer = """
        mkdir -p -m 1777 /tmp/.X11-unix
        words=$(mktemp)
        exec {numbers}< <(exec Xvfb -displayfd 1 -noreset -screen 0 64x64x24 -nolisten tcp 2>"$words")
        server=$!
        read -r number <&$numbers && DISPLAY=:$number "$@"
        status=$?
        kill $server
        [ $status = 0 ] || cat "$words" >&2
        rm -f "$words"
        exit $status
        """

    /// Runs `encbench` on Intel's driver, with a pretended chip.
    @discardableResult
    static func onIntel(
        _ arguments: [String], faults: String = "", in folder: borrowing TemporaryDirectory
    ) async throws -> ExternalProgram.Output {
        try await ExternalProgram("env").run(
            [
                "LD_PRELOAD=\(shim.name)", "LIBVA_DRIVER_NAME=iHD", "I915_SHIM_CHIP=tgl", "I915_SHIM_FAULT=\(faults)",
                "I915_SHIM_ROOT=\(folder.path("device"))", CommandLineTool.encbench.name,
            ] + arguments)
    }
}
