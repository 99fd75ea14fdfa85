import PlankDetection
import Testing

@Suite("The set of measurements")
struct MeasurementTests {
  @Test("Names, units and order are the contract's table")
  func table() {
    let expected: [(String, MeasurementUnit)] = [
      ("verticalRatio", .ratio), ("shoulderRise", .meters), ("wristHipCosine", .ratio),
      ("elbowAngle", .degrees), ("bodyAngle", .degrees), ("hipDeviation", .meters),
      ("shoulderRiseFraction", .bodyHeights), ("hipDeviationFraction", .bodyHeights),
      ("signedHipAngle", .degrees), ("trunkRoll", .degrees), ("supportDrop", .bodyHeights),
      ("hipClearance", .bodyHeights), ("forearmVerticality", .ratio), ("kneeAngle", .degrees),
      ("thighSpread", .degrees), ("trunkIncline", .ratio), ("handHeight", .bodyHeights),
      ("upperArmIncline", .ratio),
    ]
    #expect(Measurement.allCases.map(\.name) == expected.map(\.0))
    #expect(Measurement.allCases.map(\.unit) == expected.map(\.1))
    #expect(Measurement.count == expected.count)
  }

  @Test("A name reads back as its measurement; an unknown one does not read")
  func names() {
    for measurement in Measurement.allCases {
      #expect(Measurement(name: measurement.name) == measurement)
    }
    #expect(Measurement(name: "VerticalRatio") == nil)
    #expect(Measurement(name: "") == nil)
  }

  @Test("Column names carry the unit")
  func columnNames() {
    #expect(Measurement.verticalRatio.columnName == "verticalRatio")
    #expect(Measurement.elbowAngle.columnName == "elbowAngle_deg")
    #expect(Measurement.hipDeviation.columnName == "hipDeviation_m")
    #expect(Measurement.supportDrop.columnName == "supportDrop_bh")
    #expect(Set(Measurement.allCases.map(\.columnName)).count == Measurement.count)
  }

  @Test("Every measurement has a definition of its own")
  func definitions() {
    #expect(Set(Measurement.allCases.map(\.definition)).count == Measurement.count)
  }
}

@Suite("Measurement sets")
struct MeasurementSetTests {
  @Test("A set has the measurements it was made of, in catalogue order")
  func members() {
    let set = MeasurementSet([.bodyAngle, .verticalRatio, .bodyAngle])
    #expect(set.members == [.verticalRatio, .bodyAngle])
    #expect(set.contains(.bodyAngle) && !set.contains(.elbowAngle))
  }

  @Test("The full set has every measurement and the empty one none")
  func bounds() {
    #expect(MeasurementSet.all.members == Measurement.allCases)
    #expect(MeasurementSet([]).members.isEmpty)
  }

  @Test("A union has what either set has")
  func union() {
    let union = MeasurementSet([.elbowAngle]).union(MeasurementSet([.hipClearance]))
    #expect(union.members == [.elbowAngle, .hipClearance])
  }
}
