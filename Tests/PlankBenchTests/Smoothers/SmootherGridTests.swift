import PlankDetection
import Testing
import Tuning

@testable import PlankBench

@Suite("Grid of smoothers")
struct SmootherGridTests {
  @Test("Every causal filter is tried, over several numbers")
  func complete() throws {
    let variants = try SmootherGrid(target: .joints).variants()
    for kind in SmoothingKind.allCases {
      let own = variants.filter { $0.choice.filters.first ?? .causal(.none) == .causal(kind) }
      #expect(own.count >= (kind == .none ? 1 : 3), "\(kind.rawValue)")
      #expect(own.allSatisfy { $0.choice.isCausal })
    }
    let choices = Set(variants.map(\.choice))
    #expect(choices.count == variants.count)
  }

  @Test("Published smoothers are among the rest, and no search starts from them")
  func shipped() throws {
    let variants = try SmootherGrid(target: .joints).variants()
    for (family, text) in [
      ("Casiez's one-euro", "one-euro:minCutoff=1Hz,beta=0,derivativeCutoff=1Hz@joints"),
      ("MediaPipe's one-euro", "one-euro:minCutoff=0.1Hz,beta=40,derivativeCutoff=1Hz@joints"),
      ("ml-kit", "ml-kit:frames=10,alpha=0.2,reset=0.1s@joints"),
    ] { #expect(variants.contains { $0.family.name == family && $0.choice.text == text }) }
    for family in SmootherTuning.families {
      let own = variants.filter(family.contains)
      #expect(own.count > 3 && own.allSatisfy { $0.family.origin == .grid })
    }
  }

  @Test("What looks ahead says so in its name")
  func bounds() throws {
    let variants = try SmootherGrid(target: .measurements).variants()
    #expect(variants.contains { !$0.choice.isCausal })
    #expect(variants.allSatisfy { $0.choice.isCausal != ($0.family.origin == .bound) })
    #expect(variants.allSatisfy { $0.choice.isCausal != $0.family.name.hasSuffix("(offline)") })
  }
}
