import PlankDetection
import Testing

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
