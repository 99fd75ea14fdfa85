import Foundation
import PlankDetection
import Testing

@Suite("Strategy settings")
struct StrategySettingsTests {
  @Test("Every default lies in its range, and keys of a kind are unique")
  func catalogue() {
    let smoothing = SmoothingKind.allCases.map(\.parameters)
    let debounce = DebounceKind.allCases.map(\.parameters)
    for parameters in smoothing + debounce + [SessionParameters.definitions] {
      #expect(parameters.allSatisfy { $0.accepts($0.defaultValue) })
      #expect(Set(parameters.map(\.key)).count == parameters.count)
    }
  }

  @Test("A missing parameter takes its default; of alternatives, the first one counts")
  func defaults() throws {
    let settings = try StrategySettings(SmoothingKind.hampel, [.threshold: 2])
    #expect(settings[.windowFrames] == 9)
    #expect(settings[.windowSeconds] == nil)
    #expect(settings.entries.map(\.value) == [9, 2])
    #expect(settings == (try StrategySettings(.hampel, [.threshold: 2, .windowFrames: 9])))
  }

  @Test("Keys, ranges and alternatives are checked")
  func mistakes() {
    #expect(throws: StrategyError.self) { try StrategySettings(SmoothingKind.median, [.cutoff: 1]) }
    #expect(throws: StrategyError.self) {
      try StrategySettings(SmoothingKind.median, [.windowFrames: 5, .windowSeconds: 1])
    }
    for value in [0, 31, .nan, .infinity] {
      #expect(throws: StrategyError.self) {
        try StrategySettings(SmoothingKind.exponential, [.cutoff: value])
      }
    }
    #expect(throws: StrategyError.jointsAfterMeasurements) {
      try SmoothingStrategy([
        SmoothingStep(.median, on: .measurements), SmoothingStep(.median, on: .joints),
      ])
    }
  }

  @Test("A step that does nothing is left out")
  func nothing() throws {
    #expect(try SmoothingStrategy([SmoothingStep(.none)]) == .none)
  }

  @Test("What is coded reads back the same", arguments: SmoothingKind.allCases)
  func coding(kind: SmoothingKind) throws {
    let strategy = try SmoothingStrategy([
      SmoothingStep(kind), SmoothingStep(kind, on: .measurements),
    ])
    let data = try JSONEncoder().encode(strategy)
    #expect(try JSONDecoder().decode(SmoothingStrategy.self, from: data) == strategy)
  }

  @Test("A debounce strategy is coded with rules and bands")
  func codingDebounce() throws {
    let strategy = try DebounceStrategy(
      plank: StrategySettings(.dwell, [.enter: 0.2]), form: nil,
      bands: [SchmittBand(.sag, halfWidth: 0.01)])
    let data = try JSONEncoder().encode(strategy)
    #expect(try JSONDecoder().decode(DebounceStrategy.self, from: data) == strategy)
  }

  @Test(
    "Decoding checks as making does",
    arguments: [
      #"[{"kind":"ema","parameters":{"cutoff":0},"target":"joints"}]"#,
      #"[{"kind":"emu","parameters":{},"target":"joints"}]"#,
      #"[{"kind":"ema","parameters":{},"target":"bones"}]"#,
      #"[{"kind":"ema","parameters":{},"target":"measurements"},"#
        + #"{"kind":"ema","parameters":{},"target":"joints"}]"#,
    ])
  func decodingMistakes(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SmoothingStrategy.self, from: Data(text.utf8))
    }
  }
}
