import PlankDetection
import Testing
import Tuning

@Suite("The text form of debounce strategies")
struct DebounceTextTests {
  @Test(
    "Reading fills in what is left out, and printing writes every number",
    arguments: [
      ("parameters", "parameters"),
      ("none", "none"),
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
      ("dwell:enter=11s", ["0.0 to 10.0"]),
      ("dwell:enter=3frames", ["a number in s"]),
      ("consecutive:enter=0", ["from 1 to 1000"]),
      ("vote:votes=2,frames=5", ["give more than half", "votes=3"]),
      ("vote:votes=6,frames=5", ["at most all"]),
      ("dwell+vote@form", ["the form stream already has a rule"]),
      ("dwell@planks", ["did you mean `plank`?"]),
      ("bands:side_raise=2cm", ["did you mean `side_rise`?"]),
      ("bands:side_rise=0cm", ["above 0"]),
      ("bands", ["no threshold is named", "bands:sag=1cm"]),
      ("bands:sag=1cm@form", ["leave out `@form`"]),
      ("bands:side_rise=2deg", ["a number in m"]),
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
