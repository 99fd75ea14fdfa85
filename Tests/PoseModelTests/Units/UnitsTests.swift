import Testing

@testable import PoseModel

@Suite("Quantities") struct QuantityTests {
  @Test(
    "A rate has an interval where 1 over it is a number above 0",
    arguments: [
      (30, true), (1e-300, true), (1e300, true), (.leastNonzeroMagnitude, false), (0, false),
      (-1, false), (Double.infinity, false), (.nan, false),
    ])
  func intervals(rate: Double, hasInterval: Bool) {
    #expect(Hertz(rate).hasInterval == hasInterval)
  }
}

@Suite("Binary search")
struct BinarySearchTests {
  @Test("the first element that fulfills the condition is found, wherever it lies")
  func first() {
    for count in 0...9 {
      for place in 0...count {
        let elements = (0..<count).map { $0 >= place }
        #expect(elements.partitioningIndex { $0 } == place)
      }
    }
  }

  @Test("few elements are looked at")
  func effort() {
    var looked = 0
    let index = (0..<1_000_000).partitioningIndex {
      looked += 1
      return $0 >= 777_777
    }
    #expect(index == 777_777)
    #expect(looked <= 21)
  }
}

@Suite("Text of counts") struct CountTextTests {
  @Test(
    "A comma comes before every three digits",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func groups(count: Int, text: String) { #expect(CountText.of(count) == text) }
}
