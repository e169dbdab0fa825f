// SPDX-License-Identifier: MIT

/// One way to take a hostile input; the program runs the one that it is called by the name of.
enum FuzzTarget: String {
    case accessUnits = "AccessUnits"
    case flvTags = "FLVTags"
    case framing = "Framing"
    case h264Units = "H264Units"
    case hevcUnits = "HEVCUnits"
    case records = "Records"
    case soundHeaders = "SoundHeaders"
    case wavFiles = "WAVFiles"

    static let chosen: FuzzTarget = {
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("there is no target \(name); call this program through a link with the name of one")
        }
        return target
    }()

    func run(_ bytes: [UInt8]) {
        switch self {
        case .accessUnits: checkAccessUnits(bytes)
        case .flvTags: checkFLVTags(bytes)
        case .framing: checkFraming(bytes)
        case .h264Units: checkH264Units(bytes)
        case .hevcUnits: checkHEVCUnits(bytes)
        case .records: checkRecords(bytes)
        case .soundHeaders: checkSoundHeaders(bytes)
        case .wavFiles: checkWAVFiles(bytes)
        }
    }
}

/// Takes one input; libFuzzer calls it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Stops the program, also an optimised one, with a message when something does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    guard condition else { fatalError(what()) }
}
