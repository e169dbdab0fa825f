// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
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
            --report writes what helps when a GPU misbehaves, or works: send the file to \(ProbeReport.recipient). It holds the versions of encbench, \
            of the libraries and of the driver, the distribution and the kernel's release, the names of processor and GPU \
            (PCI numbers), every attribute that the driver answers, what is missing, and of each encoder on a device what \
            becomes of generated pictures: at each bit depth and kind of rate, at 1920x1080, over 300 pictures, with a forced \
            key frame, a change of bit rate and of size, and in the device's surfaces and DMA-BUFs of them. Each case works, is damaged (how, and \
            from which picture on) or is refused (by whom). A case is given up after ten seconds without a picture or a minute \
            in all, and none begins behind two minutes; encoders take turns, so that a slow one leaves the others time. The file is \
            there before the first case and names the one that is being tried, so that it tells what a machine hung at, and \
            Ctrl-C leaves what was found so far, in a file. Status 1 where a case is damaged. It holds no name of the machine or of its user, no path of theirs and \
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
        // What takes minutes is not to end where it cannot be written.
        for path in [report, json].compactMap({ $0 }) where FilePlace.isFolder(path) {
            throw CommandFailure("\(path): is a folder, expected a file")
        }
        var probed = await ProbeReport.current(device: devices.device)
        if let report {
            let isRewritable = report != "-" && WholeFile.isReplaceable(report)
            try await probed.tryEncoders(on: devices.device) { sofar in
                if let trying = sofar.trying { StandardError.tell("encbench: trying \(trying)\n") }
                guard isRewritable || sofar.trying == nil else { return }
                try WholeFile.write(try JSONDocument.bytes(sofar.withoutPaths), to: report)
            }
        }
        defer {
            if let report, report != "-" { StandardError.tell("encbench: \(ProbeReport.notice(ofFile: report))") }
        }
        if json != "-", report != "-" { try probed.show() }
        if let json { try WholeFile.writeInPlace(try JSONDocument.bytes(probed), to: json) }
        if probed.selfTests?.contains(where: \.isDamaged) == true { throw ExitCode.failure }
    }
}
