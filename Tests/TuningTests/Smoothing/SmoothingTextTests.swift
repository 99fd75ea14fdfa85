import PlankDetection
import Testing
import Tuning

@Suite("The text form of smoothing strategies") struct SmoothingTextTests {
  @Test(
    "Reading fills in what is left out, and printing writes every number",
    arguments: [
      ("none", "none"), ("ema", "ema:cutoff=1.5Hz@joints"),
      ("ema:cutoff=2@measurements", "ema:cutoff=2Hz@measurements"),
      ("median", "median:frames=9@joints"),
      ("moving-average:seconds=300ms", "moving-average:seconds=0.3s@joints"),
      ("one-euro:beta=0.5", "one-euro:minCutoff=1Hz,beta=0.5,derivativeCutoff=1Hz@joints"),
      (
        "hampel+ema@measurements",
        "hampel:frames=9,threshold=3@joints+ema:cutoff=1.5Hz@measurements"
      ), ("none+ema", "ema:cutoff=1.5Hz@joints"),
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
      ("median:frames=2.5", ["a whole number of frames"]), ("ema++median", ["empty step"]),
      ("", ["empty step"]), ("none:alpha=1", ["none has no parameter `alpha`", "it takes none"]),
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
}

@Suite("The text form of debounce strategies") struct DebounceTextTests {
  @Test(
    "Reading fills in what is left out, and printing writes every number",
    arguments: [
      ("parameters", "parameters"), ("none", "none"),
      ("dwell:enter=0.3s,exit=0.5s", "dwell:enter=0.3s,switch=0.3s,exit=0.5s"),
      ("consecutive:enter=8", "consecutive:enter=8,switch=5,exit=5"),
      ("vote@form", "vote:votes=4,frames=5@form"),
      (
        "vote@form+dwell@plank",
        "dwell:enter=0.3s,switch=0.3s,exit=0.3s@plank+vote:votes=4,frames=5@form"
      ),
      ("bands:side_rise=2cm,elbow_split=5deg", "bands:side_rise=0.02m,elbow_split=5deg"),
      (
        "none+bands:horizontal_ratio=0.04", "none+bands:horizontal_ratio=0.04"
      ),
    ])
  func prints(text: String, expected: String) throws {
    let strategy = try DebounceStrategy(text: text)
    #expect(strategy.text == expected)
    #expect(try DebounceStrategy(text: strategy.text) == strategy)
  }

  @Test("Bands take units and keys from the detector's own parameters")
  func bandsOfCustomParameters() throws {
    let own = try ParameterDefinition(
      ParameterKey("roll_limit"), unit: .degrees, default: 30, range: 20...40,
      meaning: "largest roll")
    let strategy = try DebounceStrategy(text: "bands:roll_limit=3deg", parameters: [own])
    #expect(strategy.bands.map(\.halfWidth) == [3])
    #expect(strategy.text(parameters: [own]) == "bands:roll_limit=3deg")
  }

  @Test(
    "A mistake is reported with the step, what was found, what is allowed, and the nearest name",
    arguments: [
      ("dwel", ["no debounce `dwel`", "did you mean `dwell`?", "bands"]),
      ("dwell:enter=11s", ["0.0 to 10.0"]), ("dwell:enter=3frames", ["a number in s"]),
      ("consecutive:enter=0", ["from 1 to 1000"]),
      ("vote:votes=2,frames=5", ["give more than half", "votes=3"]),
      ("vote:votes=6,frames=5", ["at most all"]),
      ("dwell+vote@form", ["the form stream already has a rule"]),
      ("dwell@planks", ["did you mean `plank`?"]),
      ("bands:side_raise=2cm", ["did you mean `side_rise`?"]), ("bands:side_rise=0cm", ["above 0"]),
      ("bands", ["no threshold is named", "bands:sag=1cm"]),
      ("bands:sag=1cm@form", ["leave out `@form`"]), ("bands:side_rise=2deg", ["a number in m"]),
      ("bands:plank_frames=2", ["bands has no parameter `plank_frames`"]),
      ("bands:sag=1cm+bands:sag=2cm", ["two bands"]),
    ])
  func explains(text: String, parts: [String]) {
    let error = #expect(throws: StrategyTextError.self) { try DebounceStrategy(text: text) }
    for part in parts {
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
  }
}
