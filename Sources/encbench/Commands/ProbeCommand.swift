// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import MediaFiles
import PictureQuality

/// `encbench probe`.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows the encoders and devices found, what they can do, what is missing, and how to get it.",
        discussion: """
            --report writes what helps when a GPU misbehaves, or works: send the file back. It holds the versions of encbench, \
            of the libraries and of the driver, the distribution and the kernel's release, the names of processor and GPU \
            (PCI numbers), every attribute that the driver answers, what is missing, and of each encoder on a device what \
            becomes of ten generated pictures with a constant quantizer and with a bit rate: sizes, SHA-256 of the stream, \
            whether libavcodec decodes it, PSNR. It holds no name of the machine or of its user, no path of theirs and \
            no video. Read it before you send it: it is text (JSON).
            """)

    @OptionGroup var devices: DeviceOptions

    @Option(help: ArgumentHelp("Write the same as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "Try the encoders of devices, and write a report to send back, as JSON; default: none.", valueName: "file"))
    var report: String?

    func validate() throws {
        if let report, report == json { throw ValidationError("--report and --json both want \(report)") }
    }

    func run() async throws {
        let probed = await ProbeReport.current(device: devices.device, testsEncoders: report != nil)
        if json != "-", report != "-" { try probed.show() }
        if let json { try WholeFile.writeInPlace(try JSONDocument.bytes(probed), to: json) }
        if let report { try WholeFile.writeInPlace(try JSONDocument.bytes(probed.withoutPaths), to: report) }
    }
}
