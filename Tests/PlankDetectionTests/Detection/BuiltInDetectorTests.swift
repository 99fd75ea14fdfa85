import PlankDetection
import PoseModel
import Testing

@Suite("Built-in detectors")
struct BuiltInDetectorTests {
  private static let publishedPlank = [
    "none if verticalRatio >= horizontal_ratio", "sideLeft if shoulderRise > side_rise",
    "sideRight if shoulderRise < -side_rise", "reverse if wristHipCosine > reverse_cosine",
    "high if elbowAngle > elbow_split", "forearm otherwise",
  ]
  private static let publishedForm = [
    "sag if hipDeviation < -sag", "pike if hipDeviation > pike", "aligned otherwise",
  ]

  @Test("Their names are known, in this order, and no other")
  func names() {
    #expect(DetectorDefinition.builtIn.map(\.name) == ["article", "gravity", "scaled", "trunk"])
    #expect(DetectorDefinition.builtIn(named: "trunk") == .trunk)
    #expect(DetectorDefinition.builtIn(named: "Article") == nil)
  }

  @Test("The published rules are the contract's; article and gravity differ in the axes alone")
  func published() {
    for detector in [DetectorDefinition.article, .gravity] {
      #expect(detector.plank.sentences == Self.publishedPlank)
      #expect(detector.form.sentences == Self.publishedForm)
      #expect(detector.axes.rawValue == detector.name)
    }
  }

  @Test("The scaled rules are the same with fractions")
  func scaled() {
    let detector = DetectorDefinition.scaled
    #expect(
      detector.plank.sentences == [
        Self.publishedPlank[0], "sideLeft if shoulderRiseFraction > side_rise_fraction",
        "sideRight if shoulderRiseFraction < -side_rise_fraction", Self.publishedPlank[3],
        Self.publishedPlank[4], Self.publishedPlank[5],
      ])
    #expect(
      detector.form.sentences == [
        "sag if hipDeviationFraction < -sag_fraction",
        "pike if hipDeviationFraction > pike_fraction", "aligned otherwise",
      ])
    #expect(detector.axes == .gravity)
  }

  @Test("The trunk rules are the contract's")
  func trunk() {
    let detector = DetectorDefinition.trunk
    #expect(
      detector.plank.sentences == [
        "none if verticalRatio >= trunk_horizontal_ratio",
        "none if bodyAngle <= trunk_body_angle", "none if supportDrop < trunk_support_drop",
        "none if hipClearance < trunk_hip_clearance", "reverse if trunkRoll >= trunk_reverse_roll",
        "reverse if trunkRoll <= -trunk_reverse_roll", "sideLeft if trunkRoll >= trunk_side_roll",
        "sideRight if trunkRoll <= -trunk_side_roll",
        "high if forearmVerticality > trunk_forearm_verticality", "forearm otherwise",
      ])
    #expect(detector.form == DetectorDefinition.gravity.form)
    #expect(detector.axes == .gravity)
  }
}
