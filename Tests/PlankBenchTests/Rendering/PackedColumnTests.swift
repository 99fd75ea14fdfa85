import Testing

@testable import PlankBench

@Suite("Columns that are packed for pages")
struct PackedColumnTests {
  @Test("Steps of every number of a frame have their sign in the last bit, and wrap around")
  func steps() {
    let numbers: [Int16] = [5, -1, 4, 0, .min, 0, .max, 0]
    // By hand: 5 and -1; -1 and +1; -32772, which wraps to 32764, and 0; then to the other end.
    #expect(PackedSteps.steps(numbers, stride: 2) == [10, 1, 1, 2, 65528, 0, 1, 0])
  }

  @Test("The same numbers come back from their steps", arguments: [1, 3])
  func restored(stride: Int) {
    let numbers = (0..<300).map { Int16(truncatingIfNeeded: $0 &* 7_919 &* $0) } + [.min, .max, 0]
    var found: [Int16] = []
    for (place, step) in PackedSteps.steps(numbers, stride: stride).enumerated() {
      let change = Int16(bitPattern: (step >> 1) ^ (0 &- (step & 1)))
      found.append((place < stride ? 0 : found[place - stride]) &+ change)
    }
    #expect(found == numbers)
  }

  @Test(
    "Values are multiples of a thousandth of the power of ten below the largest one",
    arguments: [(174.3, 0.1), (1.9, 0.001), (0.08, 0.00001), (-1, 0.001)] as [(Float, Double)])
  func units(largest: Float, unit: Double) {
    let packed = PackedValues([largest, largest / 2, .nan])
    #expect(abs(packed.unit - unit) < unit * 1e-9)
    let multiples = [largest, largest / 2].map { Int16((Double($0) / packed.unit).rounded()) }
    #expect(
      packed.text == "steps:" + PackedSteps.text(multiples + [.min], stride: 1))
  }

  @Test(
    "Values stay as they are where the largest leaves the others no digits, or is not finite",
    arguments: [[Float](repeating: 0.5, count: 99) + [1e6], [1, .infinity]] as [[Float]])
  func exact(values: [Float]) {
    #expect(
      PackedValues(values).text == "bits:" + PackedColumn.text(values.map(\.bitPattern)))
  }

  @Test(
    "Values that are zero or undefined need no digits",
    arguments: [[], [.nan], [0, .nan]] as [[Float]])
  func nothing(values: [Float]) {
    let numbers = values.map { $0.isNaN ? Int16.min : 0 }
    #expect(PackedValues(values).text == "steps:" + PackedSteps.text(numbers, stride: 1))
  }
}
