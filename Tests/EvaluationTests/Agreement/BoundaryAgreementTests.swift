import Evaluation
import PoseModel
import Testing

@Suite("Agreement on boundaries")
struct BoundaryAgreementTests {
  @Test("Differences are those of matched boundaries; the others are counted")
  func differences() throws {
    let boundaries = try compare(
      first: [
        (0, 10, PlankClass.none), (10, 20, .high), (20, 30, .forearm), (30, 40, PlankClass.none),
        (40, 50, .high),
      ],
      second: [
        (0, 10.25, PlankClass.none), (10.25, 19.5, .high), (19.5, 30, .forearm),
        (30, 45, PlankClass.none),
        (45, 50, .high),
      ]
    ).plank.boundaries
    #expect(boundaries.offsets.sorted() == [-0.5, 0, 0.25])
    #expect(boundaries.matched == 3)
    #expect(boundaries.firstUnmatched == 1)
    #expect(boundaries.secondUnmatched == 1)
    #expect(boundaries.median == .value(0.25))
    #expect(boundaries.ninetiethPercentile == .value(0.45))
    #expect(boundaries.largest == .value(0.5))
    #expect(boundaries.medianOffset == .value(0))
  }

  @Test(
    "A person who ignores transitions and one who does not are compared by the starts of classes")
  func transitions() throws {
    let boundaries = try compare(
      first: [
        (0, 4, PlankClass.none), (4, 5, nil), (5, 20, .high), (22, 30, .high),
        (30, 40, PlankClass.none),
      ],
      second: [(0, 4.75, PlankClass.none), (4.75, 30.5, .high), (30.5, 40, PlankClass.none)]
    ).plank.boundaries
    #expect(boundaries.offsets == [0.5, -0.25])
    #expect(boundaries.firstUnmatched + boundaries.secondUnmatched == 0)
  }

  @Test("The window is included, and what lies beyond has no counterpart", arguments: [1.0, 0.999])
  func window(_ window: Double) throws {
    let boundaries = try compare(
      first: [(0, 10, PlankClass.none), (10, 20, .high)],
      second: [(0, 11, PlankClass.none), (11, 20, .high)],
      window: window
    ).plank.boundaries
    #expect(boundaries.matched == (window == 1 ? 1 : 0))
  }

  @Test("Boundaries to different classes never match")
  func classes() throws {
    let boundaries = try compare(
      first: [(0, 10, PlankClass.none), (10, 20, .high)],
      second: [(0, 10, PlankClass.none), (10, 20, .forearm)]
    ).plank.boundaries
    #expect(boundaries.matched == 0)
    #expect(boundaries.firstUnmatched == 1)
    #expect(boundaries.secondUnmatched == 1)
  }
}
