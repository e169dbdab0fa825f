// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X265Backend

@Suite struct X265OptionValueTests {
    @Test(
        "a value that the library does not understand is refused with the option, the value and the form",
        arguments: [
            NativeOptionRow("master-display=garbage", "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)"),
            NativeOptionRow("no-master-display", "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)"),
            NativeOptionRow("max-cll=garbage", "2 numbers in 0...65535"),
            NativeOptionRow("max-cll=1000,400x", "2 numbers in 0...65535"),
            NativeOptionRow("max-cll=70000,400", "2 numbers in 0...65535"),
            NativeOptionRow("display-window=1,2,3,4x", "4 numbers in 0...16384"),
            NativeOptionRow("hme-range=garbage", "3 numbers in 0...32768"),
            NativeOptionRow("hme-search=dia", "3 of dia, hex, umh, star, sea, full"),
            NativeOptionRow("deblock=1:garbage", "1 or 2 numbers in -6...6"),
            NativeOptionRow("pools=garbage", "none"), NativeOptionRow("sar=4:3x", "2 numbers in 0...65535"),
            NativeOptionRow("masking-strength=garbage", "nothing"), NativeOptionRow("no-ssim-rd=garbage", "none"),
            NativeOptionRow("range=2", "limited or full"), NativeOptionRow("atc-sei=300", "a number in -1...255"),
            NativeOptionRow("min-luma=-4", "a number in 0...4095"),
            NativeOptionRow("overscan=x", "show, crop or unknown"),
            NativeOptionRow("max-vbv-fullness=900", "a number in 0.0...100.0"),
            NativeOptionRow("colorprim=garbage", "bt709"), NativeOptionRow("chromaloc=garbage", "a whole number"),
            NativeOptionRow("videoformat=garbage", "component, pal, ntsc"), NativeOptionRow("me=garbage", "dia, hex"),
            NativeOptionRow("ref=many", "a whole number"),
            NativeOptionRow("ref=4294967297", "finite numbers in -2147483648"),
        ])
    func garbage(row: NativeOptionRow) {
        let error = row.refusal(by: X265Backend(), .hevc)
        #expect(row.isRefusedForValue(by: X265Backend(), .hevc), "\(error?.reason ?? "no error")")
    }

    @Test(
        "values in the form that the library understands are taken",
        arguments: [
            "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)", "max-cll=1000,400",
            "display-window=0,0,0,0", "hme-range=16,32,48", "hme-search=hex,umh,star", "deblock=-1:-1", "no-deblock",
            "sar=4:3", "sar=2", "fps=30", "fps=30/1", "scaling-list=default", "chromaloc=2", "colorprim=bt2020",
            "no-ssim-rd", "radl=0",
        ])
    func understood(text: String) throws {
        let row = NativeOptionRow(text, "") { $0.preset = "medium" }
        #expect(row.refusal(by: X265Backend(), .hevc) == nil)
    }
}
