import Evaluation
import Testing

@Suite("Slices")
struct ScoreSliceTests {
  private var slices: [ScoreSlice] {
    var first = Scenario("ffff", answers: "ffff", name: "one", subject: "s2")
    first.tags = ["light": "dim", "distance_m": "2"]
    var second = Scenario("ffff", answers: "hhhh", name: "two", subject: "s1")
    second.tags = ["light": "bright"]
    second.plankDetermined = "d---"
    let third = Scenario("ffff", answers: "ffhh", name: "three", subject: "s2")
    let fourth = Scenario("hhhh", name: "four")
    return report([first, second, third, fourth]).plank.slices
  }

  @Test("Slices come by subject, the unknown last, then by tag in order of names")
  func order() {
    #expect(
      slices.map(\.selector) == [
        .subject("s1"), .subject("s2"), .subject(nil),
        .tag(key: "distance_m", value: "2"), .tag(key: "light", value: "bright"),
        .tag(key: "light", value: "dim"),
      ])
    #expect(slices.map(\.sequenceCount) == [1, 2, 1, 1, 1, 1])
  }

  @Test("A slice has the pooled scores of its sequences")
  func scores() {
    for (slice, accuracy) in zip(slices, [0, 0.75, 1, 1, 0, 1]) {
      #expect(isNear(slice.view[.accuracy], accuracy))
    }
  }

  @Test("A slice names the sequences in it that are no evidence")
  func noEvidence() {
    #expect(slices.map(\.noEvidence) == [["two"], [], [], [], ["two"], []])
  }

  @Test("Slices by subject add up to the whole")
  func whole() {
    let scenarios = (UInt64(0)..<8).map { Scenario.random(seed: $0, name: "r\($0)") }
    let stream = report(scenarios).plank
    let parts = stream.slices.filter { if case .subject = $0.selector { true } else { false } }
    #expect(parts.reduce(0) { $0 + $1.view.confusion.total } == stream.view.confusion.total)
    #expect(parts.reduce(0) { $0 + $1.sequenceCount } == scenarios.count)
  }
}
