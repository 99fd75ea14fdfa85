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
      ("smallerKneeAngle", .degrees), ("kneeRise", .bodyHeights),
      ("kneeDeviation", .bodyHeights), ("elbowRise", .bodyHeights),
    ]
    #expect(Measurement.builtIn.map(\.name) == expected.map(\.0))
    #expect(Measurement.builtIn.map(\.unit) == expected.map(\.1))
  }

  @Test("A name reads back as its measurement; an unknown one does not read")
  func names() {
    for measurement in Measurement.builtIn {
      #expect(Measurement.builtIn(named: measurement.name) == measurement)
    }
    #expect(Measurement.builtIn(named: "VerticalRatio") == nil)
    #expect(Measurement.builtIn(named: "") == nil)
  }

  @Test("Column names contain the unit")
  func columnNames() {
    #expect(Measurement.verticalRatio.columnName == "verticalRatio")
    #expect(Measurement.elbowAngle.columnName == "elbowAngle_deg")
    #expect(Measurement.hipDeviation.columnName == "hipDeviation_m")
    #expect(Measurement.supportDrop.columnName == "supportDrop_bh")
    #expect(Set(Measurement.builtIn.map(\.columnName)).count == Measurement.builtIn.count)
  }

  @Test("Every measurement has a definition of its own")
  func definitions() {
    #expect(Set(Measurement.builtIn.map(\.definition)).count == Measurement.builtIn.count)
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
    #expect(MeasurementSet.all.members == Measurement.builtIn)
    #expect(MeasurementSet([]).members.isEmpty)
  }

  @Test("A union has what either set has")
  func union() {
    let union = MeasurementSet([.elbowAngle]).union(MeasurementSet([.hipClearance]))
    #expect(union.members == [.elbowAngle, .hipClearance])
  }

  @Test("A difference has what the other set lacks, an intersection what both have")
  func differences() {
    let set: MeasurementSet = [.elbowAngle, .hipClearance]
    #expect(set.subtracting([.hipClearance]).members == [.elbowAngle])
    #expect(set.intersection([.hipClearance, .kneeAngle]).members == [.hipClearance])
    #expect(MeasurementSet.all.subtracting(.all).isEmpty)
  }

  @Test("Expressions come after the built-in measurements, by name")
  func expressions() throws {
    let b = try Measurement("b", "kneeAngle")
    let a = try Measurement("a", "kneeAngle")
    let set: MeasurementSet = [b, .kneeRise, a, b]
    #expect(set.members == [.kneeRise, a, b])
    #expect(set.index(of: b) == 2)
  }

  @Test("Measurements of one name and different expressions are two")
  func sameName() throws {
    let first = try Measurement("a", "kneeAngle")
    let second = try Measurement("a", "elbowAngle")
    #expect(MeasurementSet([first, second]).members.count == 2)
    #expect(first == (try Measurement("a", "  kneeAngle\n")))
  }
}
