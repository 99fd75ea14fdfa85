import PlankDetection
import Testing

@Suite("Comparisons")
struct ComparisonTests {
  @Test("At the bound, only the comparisons with = hold", arguments: Comparison.allCases)
  func atTheBound(comparison: Comparison) {
    let isInclusive = comparison == .greaterOrEqual || comparison == .lessOrEqual
    for bound in [Float(0.15), 140, -0.05, 0] {
      #expect(comparison.holds(bound, bound) == isInclusive)
    }
  }

  @Test("One Float beside the bound decides", arguments: Comparison.allCases)
  func besideTheBound(comparison: Comparison) {
    let isUpward = comparison == .greater || comparison == .greaterOrEqual
    for bound in [Float(0.15), 140, -0.05] {
      #expect(comparison.holds(bound.nextUp, bound) == isUpward)
      #expect(comparison.holds(bound.nextDown, bound) == !isUpward)
    }
  }

  @Test("Nothing holds for a number that is none", arguments: Comparison.allCases)
  func notANumber(comparison: Comparison) {
    #expect(!comparison.holds(.nan, 1))
    #expect(!comparison.holds(1, .nan))
  }

  @Test("The margin is positive on the side that holds", arguments: Comparison.allCases)
  func margin(comparison: Comparison) {
    let isUpward = comparison == .greater || comparison == .greaterOrEqual
    #expect(comparison.margin(3, 1) == (isUpward ? 2 : -2))
    #expect(comparison.margin(1, 1) == 0)
  }

  @Test("Raw values are the operators as they are written")
  func rawValues() {
    #expect(Comparison.allCases.map(\.rawValue) == [">", ">=", "<", "<="])
  }
}
