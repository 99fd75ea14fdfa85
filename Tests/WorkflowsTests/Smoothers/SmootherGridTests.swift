import PlankDetection
import Smoothing
import Testing

@testable import Workflows

@Suite("Grid of smoothers")
struct SmootherGridTests {
  @Test("Every causal filter is tried, over several numbers")
  func complete() throws {
    let variants = try SmootherGrid(target: .joints).variants()
    for kind in SmoothingKind.allCases {
      let own = variants.filter { $0.family.hasPrefix(kind.rawValue) }
      #expect(own.count >= (kind == .none ? 1 : 3), "\(kind.rawValue)")
      #expect(own.allSatisfy { $0.choice.isCausal })
    }
    let choices = Set(variants.map(\.choice))
    #expect(choices.count == variants.count)
  }

  @Test("What looks ahead says so in its name")
  func bounds() throws {
    let variants = try SmootherGrid(target: .measurements).variants()
    #expect(variants.contains { !$0.choice.isCausal })
    #expect(variants.allSatisfy { $0.choice.isCausal != $0.family.hasSuffix("(offline)") })
  }
}
