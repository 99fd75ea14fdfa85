import PoseModel
import Testing

@Suite("Quantities")
struct QuantityTests {
  @Test("A quantity prints as its number and its unit")
  func descriptions() {
    #expect(Meters(0.05).description == "0.05 m")
    #expect(Degrees(-1).description == "-1.0 deg")
    #expect(Seconds(0.5).description == "0.5 s")
    #expect(Hertz(30).description == "30.0 Hz")
  }

  @Test("Quantities order as their numbers do")
  func order() {
    #expect(Meters(0.1) < Meters(0.2))
    #expect(Meters(-0.2) < Meters(0.1))
    #expect(!(Seconds(1) < Seconds(1)))
    #expect([Degrees(3), Degrees(-3), Degrees(0)].max() == Degrees(3))
  }

  @Test("NaN is neither equal to nor smaller than any quantity")
  func notANumber() {
    #expect(Hertz(.nan) != Hertz(.nan))
    #expect(!(Hertz(.nan) < Hertz(1)))
    #expect(!(Hertz(1) < Hertz(.nan)))
  }

  @Test(
    "A rate has an interval where 1 over it is a number above 0",
    arguments: [
      (30, true), (1e-300, true), (1e300, true), (.leastNonzeroMagnitude, false), (0, false),
      (-1, false), (Double.infinity, false), (.nan, false),
    ])
  func intervals(rate: Double, hasInterval: Bool) {
    #expect(Hertz(rate).hasInterval == hasInterval)
  }

  @Test("A quantity takes no more room than its number")
  func size() {
    #expect(MemoryLayout<Meters>.size == MemoryLayout<Double>.size)
  }
}
