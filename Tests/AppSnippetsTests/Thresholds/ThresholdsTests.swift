import PlankDetection
import Testing

/// Exported thresholds as an app compiles them.
@Suite("Exported thresholds")
nonisolated struct ThresholdsTests {
  @Test("A built-in detector has its numbers")
  func builtIn() throws {
    let parameters = try PlankThresholds.parameters()
    #expect(try PlankThresholds.definition() == .gravity)
    #expect(parameters[.sag] == 0.02 && PlankThresholds.sag == 0.02)
    let detector = try PlankThresholds.detector()
    #expect(detector.definition == .gravity && detector.parameters == parameters)
    #expect(try PlankThresholds.smoothing().steps.map(\.settings.kind) == [.oneEuro, .exponential])
    #expect(try PlankThresholds.smoothing().steps[0].settings[ParameterKey("beta")] == 0.3)
    let debounce = try PlankThresholds.debounce()
    #expect(debounce.plank?.kind == .dwell && debounce.form == nil)
    #expect(debounce.bands == [try SchmittBand(.elbowSplit, halfWidth: 5)])
  }

  @Test("A detector of one's own has its rules too")
  func custom() throws {
    let definition = try CautiousThresholds.definition()
    #expect(definition.name == "cautious" && definition.summary == "leans \"less\"")
    #expect(definition.axes == .article)
    #expect(
      definition.plank.sentences == [
        "none if verticalRatio >= lean", "none if bounce > elbow_split",
        "high if elbowAngle > elbow_split and shoulderRise < -side_rise", "forearm otherwise",
      ])
    #expect(definition.form.sentences == ["sag if hipDeviation < -sag", "aligned otherwise"])
    #expect(definition.expressions.map(\.name) == ["bend", "bounce"])
    #expect(definition.expressions[1].definition == "speed(bend, 0.5s) * 1s")
    let parameters = try CautiousThresholds.parameters()
    #expect(parameters[ParameterKey("lean")] == 0.35)
    #expect(parameters[.elbowSplit] == 128.5)
    #expect(definition.defaults[.sag] == 0.03)
    #expect(try CautiousThresholds.smoothing() == .none)
    #expect(try CautiousThresholds.debounce() == .parameters)
  }
}
