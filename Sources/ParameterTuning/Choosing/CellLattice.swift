/// The cells of one variant as points of a lattice: neighbors, lines, erosion.
///
/// Neighbors are cells within one step on every axis (Chebyshev distance 1). Axes with a single
/// value take no part.
struct CellLattice {
  let bases: [Int]
  let strides: [Int]
  let count: Int

  /// Makes the lattice of a grid; the last axis is the fastest.
  init(_ grid: VariantGrid) { self.init(bases: grid.axes.map(\.values.count)) }

  /// Makes a lattice of the given size.
  init(bases: [Int]) {
    self.bases = bases
    var strides = Array(repeating: 1, count: bases.count)
    for axis in bases.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * bases[axis + 1]
    }
    self.strides = strides
    count = bases.reduce(1, *)
  }

  /// Where a cell stands on an axis.
  func digit(_ cell: Int, _ axis: Int) -> Int { cell / strides[axis] % bases[axis] }

  /// Calls `body` with every cell within some steps of a cell on every axis, but not with itself.
  func forEachNeighbor(_ cell: Int, within radius: Int = 1, _ body: (Int) -> Void) {
    visit(cell, 0, radius) { if $0 != cell { body($0) } }
  }

  private func visit(_ cell: Int, _ axis: Int, _ radius: Int, _ body: (Int) -> Void) {
    guard axis < bases.count else { return body(cell) }
    let digit = digit(cell, axis)
    for step in max(-radius, -digit)...min(radius, bases[axis] - 1 - digit) {
      visit(cell + step * strides[axis], axis + 1, radius, body)
    }
  }

  /// The connected components of a set of cells, each ascending, by their least cell.
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

  /// The steps from every member to the nearest cell outside the set, 0 outside it.
  ///
  /// The grid ends one step beyond its last cells: they are at most one step from the outside.
  /// - Complexity: O(cells x axes x largest distance).
  func distances(in members: [Bool]) -> [Int] {
    var distances = members.map { $0 ? 1 : 0 }
    guard bases.contains(where: { $0 > 1 }) else { return distances }
    var current = members
    while true {
      for axis in bases.indices where bases[axis] > 1 { current = eroded(current, axis) }
      guard current.contains(true) else { return distances }
      for cell in 0..<count where current[cell] { distances[cell] += 1 }
    }
  }

  private func eroded(_ members: [Bool], _ axis: Int) -> [Bool] {
    var result = members
    for cell in 0..<count where members[cell] {
      let digit = digit(cell, axis)
      result[cell] =
        digit > 0 && digit + 1 < bases[axis] && members[cell - strides[axis]]
        && members[cell + strides[axis]]
    }
    return result
  }
}
