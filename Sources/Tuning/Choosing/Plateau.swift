package import PlankDetection

package struct Plateau: Hashable, Sendable {
  package struct Side: Codable, Hashable, Sendable {
    /// Steps from the chosen cell to the first cell that is not on the plateau, or past the last value
    /// of the axis.
    package let steps: Int
    package let cliff: Double?
  }

  package struct Extent: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    package let to: Double
    package let count: Int
    package let below: Side
    package let above: Side

    private enum CodingKeys: String, CodingKey {
      case unit, from, to, below, above
      case key = "parameter"
      case count = "values"
    }

    package var width: Double { to - from }
    package var cliffs: [Double] { [below.cliff, above.cliff].compactMap(\.self) }
  }

  package let cells: [Int]
  package let cell: Int
  /// To the nearest cell outside, rejected ones and diagonals included, or to the grid's end; the
  /// end of an axis with two values does not count, because both values would be at it.
  package let margin: Int
  /// Steps from the chosen cell to the nearest evaluated cell outside the plateau, diagonals
  /// included; nil if there is none in the whole grid.
  package let cliffDistance: Int?
  package let axes: [Extent]

  /// Whether the grid's end or a rejected cell is nearer than every cliff, so that the plateau may
  /// be larger than the part that was evaluated.
  package var isLimitedByEdge: Bool { cliffDistance.map { $0 > margin } ?? true }
}

struct PlateauRegion {
  let variant: Int
  let cells: [Int]
  let center: Int
  private let distances: [Int]

  var margin: Int { distances[center] }

  /// Components are compared by margin, size, the center's gain, then the declared order; the
  /// center has the largest margin; ties go by the distance from the centroid.
  static func best(
    _ members: [Bool], _ grid: StreamGrid, variant: Int, _ order: PreferenceOrder,
    gain: (Int) -> Double
  ) -> PlateauRegion? {
    let lattice = CellLattice(grid.variants[variant])
    let distances = lattice.distances(in: members)
    let start = grid.cells(of: variant).lowerBound
    var best: PlateauRegion?
    for component in lattice.components(of: members) {
      let center = center(of: component, distances, lattice) {
        order.prefers(start + $0, to: start + $1)
      }
      let region = PlateauRegion(
        variant: variant, cells: component, center: center, distances: distances)
      guard let other = best else {
        best = region
        continue
      }
      let mine = (region.margin, component.count, gain(start + center))
      let theirs = (other.margin, other.cells.count, gain(start + other.center))
      if mine > theirs
        || (mine == theirs && order.prefers(start + center, to: start + other.center))
      {
        best = region
      }
    }
    return best
  }

  private static func center(
    of component: [Int], _ distances: [Int], _ lattice: CellLattice,
    prefers: (Int, Int) -> Bool
  ) -> Int {
    let centroid = lattice.bases.indices.map { axis in
      Double(component.reduce(0) { $0 + lattice.digit($1, axis) }) / Double(component.count)
    }
    func offset(_ cell: Int) -> Double {
      centroid.enumerated().reduce(0) { sum, axis in
        let steps = Double(lattice.digit(cell, axis.offset)) - axis.element
        return sum + steps * steps
      }
    }
    let margin = component.reduce(0) { max($0, distances[$1]) }
    let innermost = component.filter { distances[$0] == margin }
    let offsets = innermost.map(offset)
    let least = offsets.min() ?? 0
    let nearest = zip(innermost, offsets).filter { $1 <= least + 1e-9 }.map(\.0)
    return nearest.min(by: prefers) ?? component[0]
  }

  /// Distances along an axis are in units of the gap between the medians of its classes, and add up
  /// by their squares; ties are decided by the margin, then the declared order.
  func cell(
    nearestTo placements: [ThresholdPlacement], _ grid: StreamGrid, _ order: PreferenceOrder
  ) -> Int {
    let axes = grid.variants[variant].axes
    let lattice = CellLattice(grid.variants[variant])
    let placed = placements.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { placement in
      axes.firstIndex { $0.key == placement.key }.map { (axis: $0, placement: placement) }
    }
    let free = axes.indices.filter { axis in !placed.contains { $0.axis == axis } }
    let slice = cells.filter { cell in
      free.allSatisfy { lattice.digit(cell, $0) == lattice.digit(center, $0) }
    }
    let offsets = slice.map { cell in
      placed.reduce(0) { sum, part in
        let value = axes[part.axis].values[lattice.digit(cell, part.axis)]
        let offset = (value - part.placement.middle) / part.placement.gap
        return sum + offset * offset
      }
    }
    let least = offsets.min() ?? 0
    let nearest = zip(slice, offsets).filter { $1 <= least + 1e-9 }.map(\.0)
    let margin = nearest.reduce(0) { max($0, distances[$1]) }
    let start = grid.cells(of: variant).lowerBound
    return nearest.filter { distances[$0] == margin }
      .min { order.prefers(start + $0, to: start + $1) } ?? center
  }

  func plateau(around cell: Int, evaluated: [Bool], _ grid: StreamGrid) -> Plateau {
    Plateau(
      cells, around: cell, margin: distances[cell], evaluated: evaluated, grid.variants[variant],
      firstID: grid.cells(of: variant).lowerBound)
  }
}

extension Plateau {
  fileprivate init(
    _ component: [Int], around cell: Int, margin: Int, evaluated: [Bool], _ grid: VariantGrid,
    firstID: Int
  ) {
    let inside = Set(component)
    let lattice = CellLattice(grid)
    cliffDistance = evaluated.indices.filter { evaluated[$0] && !inside.contains($0) }
      .map { lattice.distance($0, cell) }.min()
    cells = component.map { $0 + firstID }
    self.cell = cell + firstID
    self.margin = margin
    let varied = lattice.bases.indices.filter { lattice.bases[$0] > 1 }
    axes = varied.map { axis in
      Self.extent(axis, from: cell, inside, lattice, evaluated: evaluated, grid.axes[axis])
    }
  }

  private static func extent(
    _ axis: Int, from start: Int, _ inside: Set<Int>, _ lattice: CellLattice, evaluated: [Bool],
    _ resolved: ResolvedAxis
  ) -> Extent {
    let digit = lattice.digit(start, axis)
    func side(_ direction: Int) -> (last: Int, side: Side) {
      var place = digit
      var cell = start
      while true {
        let next = place + direction
        guard resolved.values.indices.contains(next) else {
          return (last: place, side: Side(steps: abs(next - digit), cliff: nil))
        }
        cell += direction * lattice.strides[axis]
        guard inside.contains(cell) else {
          let cliff = evaluated[cell] ? resolved.values[next] : nil
          return (last: place, side: Side(steps: abs(next - digit), cliff: cliff))
        }
        place = next
      }
    }
    let (below, above) = (side(-1), side(1))
    return Extent(
      key: resolved.key, unit: resolved.definition.unit, from: resolved.values[below.last],
      to: resolved.values[above.last],
      count: above.last - below.last + 1, below: below.side, above: above.side)
  }
}

/// Neighbors are cells within one step on every axis (Chebyshev distance 1); axes with a single
/// value are ignored.
struct CellLattice {
  let bases: [Int]
  let strides: [Int]
  let count: Int

  init(_ grid: VariantGrid) { self.init(bases: grid.axes.map(\.values.count)) }

  init(bases: [Int]) {
    self.bases = bases
    var strides = Array(repeating: 1, count: bases.count)
    for axis in bases.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * bases[axis + 1]
    }
    self.strides = strides
    count = bases.reduce(1, *)
  }

  func digit(_ cell: Int, _ axis: Int) -> Int { cell / strides[axis] % bases[axis] }

  func distance(_ left: Int, _ right: Int) -> Int {
    bases.indices.reduce(0) { max($0, abs(digit(left, $1) - digit(right, $1))) }
  }

  func forEachNeighbor(_ cell: Int, _ body: (Int) -> Void) {
    visit(cell, 0) { if $0 != cell { body($0) } }
  }

  private func visit(_ cell: Int, _ axis: Int, _ body: (Int) -> Void) {
    guard axis < bases.count else { return body(cell) }
    let digit = digit(cell, axis)
    for step in max(-1, -digit)...min(1, bases[axis] - 1 - digit) {
      visit(cell + step * strides[axis], axis + 1, body)
    }
  }

  func components(of members: [Bool]) -> [[Int]] {
    var isOpen = members
    var components: [[Int]] = []
    for start in 0..<count where isOpen[start] {
      isOpen[start] = false
      var component = [start]
      var next = 0
      while next < component.count {
        forEachNeighbor(component[next]) { neighbor in
          guard isOpen[neighbor] else { return }
          isOpen[neighbor] = false
          component.append(neighbor)
        }
        next += 1
      }
      components.append(component.sorted())
    }
    return components
  }

  /// 0 outside the set; the grid ends one step beyond its last cells; an axis with two values has
  /// no such ends.
  func distances(in members: [Bool]) -> [Int] {
    var distances = members.map { $0 ? 1 : 0 }
    guard bases.contains(where: { $0 > 1 }) else { return distances }
    var current = members
    while true {
      let last = current
      for axis in bases.indices where bases[axis] > 1 { current = eroded(current, axis) }
      guard current.contains(true), current != last else { return distances }
      for cell in 0..<count where current[cell] { distances[cell] += 1 }
    }
  }

  private func eroded(_ members: [Bool], _ axis: Int) -> [Bool] {
    var result = members
    for cell in 0..<count where members[cell] {
      let digit = digit(cell, axis)
      if bases[axis] == 2 {
        result[cell] = members[cell + (digit == 0 ? strides[axis] : -strides[axis])]
        continue
      }
      result[cell] =
        digit > 0 && digit + 1 < bases[axis] && members[cell - strides[axis]]
        && members[cell + strides[axis]]
    }
    return result
  }
}
