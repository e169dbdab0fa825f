// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Testing

@Suite struct EncoderRecipeTests {
    @Test("an encoder, its preset, a tune, settings and the program's own names are told apart")
    func reads() throws {
        let recipe = try EncoderRecipe(
            "x265:slow,tune=psnr,aq-mode=2,RealTime=true,flag,mine=3", ownNames: ["mine"])
        #expect(recipe.kind == .x265 && recipe.preset == "slow" && recipe.tune == "psnr")
        #expect(recipe.settings == ["aq-mode=2", "RealTime=true", "flag"] && recipe.own == ["mine": "3"])
        var configuration = SessionConfiguration(codec: .hevc, width: 16, height: 16)
        try EncoderRecipe.apply(recipe.settings, to: &configuration)
        #expect(configuration.nativeOptions == [NativeOption("aq-mode", "2"), NativeOption("flag")])
        #expect(configuration.realTime == true)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ("x266", OptionError.Code.unknownName), ("x265:", .malformed), ("x265:a:b", .malformed),
            ("vaapi:slow", .unusable), ("x265,", .malformed), ("x265,mine=1,mine=2", .repeated),
            ("x265,Framing=annexB", .unusable), ("x265,RealTime=maybe", .outOfRange),
        ])
    func refusals(text: String, code: OptionError.Code) {
        let error = #expect(throws: OptionError.self) {
            try EncoderRecipe(text, ownNames: ["mine"], refusing: [.framing: "Framing: not here"])
        }
        #expect(error?.code == code, "\(String(describing: error))")
    }
}
