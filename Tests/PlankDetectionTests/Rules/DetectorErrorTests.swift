import PlankDetection
import PoseModel
import Testing

@Suite("Detector errors")
struct DetectorErrorTests {
  @Test("A key that the detector does not use is answered with all the keys it does")
  func unusedParameter() {
    var values = DetectorDefinition.scaled.defaults
    let error = #expect(throws: DetectorError.self) { try values.set("side_rise=0.2") }
    let message = error?.description ?? ""
    #expect(message.contains("scaled") && message.contains("`side_rise`"))
    for parameter in DetectorDefinition.scaled.parameters {
      #expect(message.contains(parameter.key.rawValue))
    }
  }

  @Test("A value outside the range is answered with the range")
  func invalidValue() {
    var values = DetectorDefinition.gravity.defaults
    let error = #expect(throws: DetectorError.self) { try values.set("sag=40cm") }
    #expect(error?.description == "sag = 0.4 is not allowed; give a number in m from -0.3 to 0.3")
  }

  @Test("A value that does not read is answered with an example and the detector's keys")
  func unreadableValue() {
    var values = DetectorDefinition.gravity.defaults
    let error = #expect(throws: DetectorError.self) { try values.set("sag=3deg") }
    #expect(
      error?.description
        == "`3deg` is not a value of sag; give a number in m from -0.3 to 0.3, for example 5cm; "
        + "the detector uses horizontal_ratio, side_rise, reverse_cosine, elbow_split, sag, pike, "
        + "plank_frames, form_frames, hold_seconds, grade_good, grade_warning, "
        + "grade_side_good, grade_side_warning")
  }

  @Test("Frames are answered in whole numbers")
  func frames() {
    var values = DetectorDefinition.gravity.defaults
    let error = #expect(throws: DetectorError.self) { try values.set("plank_frames=2.5") }
    #expect(error?.description.hasSuffix("give a whole number of frames from 1 to 1000") == true)
  }

  @Test("Every other message says what is wrong and what to do")
  func otherMessages() throws {
    let sag = try #require(ParameterCatalogue.definition(of: .sag))
    let predicate = Predicate(.bodyAngle, .less, .sag)
    let messages: [(DetectorError, String)] = [
      (.emptyList(.form), "the form list has no rules; give it at least one label"),
      (
        .labelOfOtherStream(.form, .plank(.high)),
        "the form stream has no label `high`; labels are aligned, sag, pike"
      ),
      (
        .conditionalLastRule(.plank),
        "the last plank rule must always hold; add a label without a condition"
      ),
      (
        .unreachableRules(.plank, after: 2),
        "rule 2 of the plank list has no condition, so the rules after it can never hold; "
          + "move it to the end"
      ),
      (
        .undefinedParameter(ParameterKey("depth"), available: [.sag, .pike]),
        "no parameter `depth`; defined are sag, pike"
      ),
      (
        .unitMismatch(predicate, measurement: .degrees, parameter: .meters),
        "`bodyAngle < sag` compares deg with m; use a parameter in the measurement's unit"
      ),
      (.unreadableAssignment("sag"), "`sag` is not of the form key=value, for example sag=3cm"),
      (.repeatedParameter(.sag), "the parameter `sag` is defined twice; remove one"),
      (
        .inconsistentDefinition(sag),
        "the default of sag must lie in its range; allowed: a number in m from -0.3 to 0.3"
      ),
    ]
    for (error, message) in messages { #expect(error.description == message) }
  }
}
