import TestSupport
import Testing

@testable import Tuning

@Suite("Lattice")
struct CellLatticeTests {
  @Test("Distances equal the nearest outside cell by search", arguments: Draws.seeds(30))
  func distances(seed: Int) {
    var random = SplitMix64(spread: seed)
    let bases = (0..<random.integer(1...3)).map { _ in random.integer(1...6) }
    let lattice = CellLattice(bases: bases)
    let members = (0..<lattice.count).map { _ in random.chance(0.85) }
    let found = lattice.distances(in: members)
    for cell in 0..<lattice.count where bases.contains(where: { $0 > 1 }) {
      // Without an end or an outside cell nothing is known beyond the cell itself.
      let isBounded = bases.contains { $0 > 2 } || members.contains(false)
      var nearest = isBounded ? Int.max : 1
      for axis in bases.indices where bases[axis] > 2 {
        let digit = lattice.digit(cell, axis)
        nearest = min(nearest, digit + 1, bases[axis] - digit)
      }
      for other in 0..<lattice.count where !members[other] {
        let steps = bases.indices.map { abs(lattice.digit(cell, $0) - lattice.digit(other, $0)) }
        nearest = min(nearest, steps.max() ?? 0)
      }
      #expect(found[cell] == nearest)
    }
  }

  @Test("Cells that touch at a corner are one component")
  func components() {
    let lattice = CellLattice(bases: [3, 4])
    let picture = ["#..#", ".#..", "...#"]
    let members = picture.joined().map { $0 == "#" }
    #expect(lattice.components(of: members) == [[0, 5], [3], [11]])
  }
}
