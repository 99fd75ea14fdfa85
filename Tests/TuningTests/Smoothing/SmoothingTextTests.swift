import PlankDetection
import Testing
import Tuning

@Suite("The text form of smoothing strategies")
struct SmoothingTextTests {
  @Test(
    "Reading fills in what is left out, and printing writes every number",
    arguments: [
      ("none", "none"),
      ("ema", "ema:cutoff=1.5Hz@joints"),
      ("ema:cutoff=2@measurements", "ema:cutoff=2Hz@measurements"),
      ("median", "median:frames=9@joints"),
      ("moving-average:seconds=300ms", "moving-average:seconds=0.3s@joints"),
      (
        "one-euro:beta=0.5",
        "one-euro:minCutoff=1Hz,beta=0.5,derivativeCutoff=1Hz@joints"
      ),
      (
        "hampel+ema@measurements",
        "hampel:frames=9,threshold=3@joints+ema:cutoff=1.5Hz@measurements"
      ),
      ("none+ema", "ema:cutoff=1.5Hz@joints"),
      ("gaussian@measurements", "gaussian:deviation=0.05s@measurements"),
      ("rts", "rts:processNoise=0.002,measurementNoise=0.011@joints"),
    ])
  func prints(text: String, expected: String) throws {
    #expect(try SmoothingChoice(text: text).text == expected)
  }

  @Test("What was printed reads as the same strategy", arguments: SmoothingChoice.names)
  func roundTrips(name: String) throws {
    for target in ["", "@joints", "@measurements"] {
      let choice = try SmoothingChoice(text: name + target)
      #expect(try SmoothingChoice(text: choice.text) == choice)
    }
  }

  @Test(
    "A mistake is reported with the step, what was found, what is allowed, and the nearest name",
    arguments: [
      ("medain", ["no smoothing `medain`", "did you mean `median`?", "one-euro"]),
      ("ema:cutof=2Hz", ["ema has no parameter `cutof`", "did you mean `cutoff`?", "cutoff (Hz)"]),
      ("ema:cutoff=2s", ["ema: `2s` is not a value of cutoff", "a number in Hz"]),
      ("ema:cutoff=0Hz", ["ema: cutoff = 0.0 is not allowed", "0.01"]),
      ("ema:cutoff", ["`cutoff` is not of the form key=value"]),
      ("ema:cutoff=1Hz,cutoff=2Hz", ["`cutoff` is given twice"]),
      ("ema@joint", ["cannot work on `joint`", "did you mean `joints`?", "@measurements"]),
      ("median:frames=5,seconds=0.2s", ["median takes only one of frames, seconds"]),
      ("median:frames=2.5", ["a whole number of frames"]),
      ("ema++median", ["empty step"]),
      ("", ["empty step"]),
      ("none:alpha=1", ["none has no parameter `alpha`", "it takes none"]),
      ("ema@measurements+median@joints", ["put the steps on joints first"]),
      ("median+rts", ["rts looks ahead"]),
      ("savitzky-golay:frames=2,degree=2", ["give frames=3 or more"]),
      ("savitzky-golay:degree=1.5", ["not a whole number"]),
    ])
  func explains(text: String, parts: [String]) {
    let error = #expect(throws: StrategyTextError.self) { try SmoothingChoice(text: text) }
    for part in parts {
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
  }

  @Test(
    "A shell passes every printed strategy as it is, unquoted", arguments: SmoothingChoice.names)
  func needsNoQuotes(name: String) throws {
    let text = try SmoothingChoice(text: name).text
    let safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:=@+"
    #expect(text.allSatisfy(safe.contains))
    #expect(text.first?.isLetter == true)
  }
}
