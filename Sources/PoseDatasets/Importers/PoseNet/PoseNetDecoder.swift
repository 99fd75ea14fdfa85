/// Finds people in PoseNet's tensors.
///
/// The reading `published` is the decoder of the TensorFlow.js model (Papandreou et al.,
/// "PersonLab", 2018, and "Towards Accurate Multi-person Pose Estimation in the Wild", 2017). The
/// reading `sample` is the decoder of Apple's sample "Detecting human body poses in an image".
package struct PoseNetDecoder: Sendable {
  package let decoding: PoseNetDecoding

  package init(_ decoding: PoseNetDecoding) { self.decoding = decoding }

  package func people(in tensors: PoseNetTensors) -> [DecodedPerson] {
    decoding.isSingle ? [singlePerson(in: tensors)].compactMap(\.self) : several(in: tensors)
  }

  /// Returns one person made of the best cell for each part, even if the parts belong to different
  /// people.
  private func singlePerson(in tensors: PoseNetTensors) -> DecodedPerson? {
    let points = (0..<PoseNetTensors.partCount).map { part in
      var best = Cell(row: 0, column: 0)
      for row in 0..<tensors.rows {
        for column in 0..<tensors.columns {
          let cell = Cell(row: row, column: column)
          if tensors.score(at: cell, part) > tensors.score(at: best, part) { best = cell }
        }
      }
      return DecodedPerson.Point(
        position: tensors.position(at: best, part), cell: best,
        score: Double(tensors.score(at: best, part)))
    }
    let score = points.reduce(0) { $0 + $1.score } / Double(PoseNetTensors.partCount)
    return score > 0 ? DecodedPerson(points: points, score: score) : nil
  }

  private func several(in tensors: PoseNetTensors) -> [DecodedPerson] {
    var people: [DecodedPerson] = []
    for candidate in candidates(in: tensors) where people.count < decoding.maximumPeople {
      let position = tensors.position(at: candidate.cell, candidate.part)
      guard !isTaken(position, candidate.part, by: people) else { continue }
      let cell = decoding.followsValidJoints ? candidate.cell : tensors.nearestCell(to: position)
      let root = DecodedPerson.Point(
        position: position, cell: cell,
        score: Double(tensors.score(at: candidate.cell, candidate.part)))
      let points = PoseNetTree(decoding: decoding, tensors: tensors)
        .points(from: root, candidate.part)
      let score = points.enumerated().reduce(0.0) { sum, entry in
        guard let point = entry.element, !isTaken(point.position, entry.offset, by: people)
        else { return sum }
        return sum + point.score
      }
      let person = DecodedPerson(points: points, score: score / Double(PoseNetTensors.partCount))
      if person.score >= decoding.minimumPersonScore { people.append(person) }
    }
    return people
  }

  package struct Candidate: Hashable, Sendable {
    package let cell: Cell
    package let part: Int
  }

  /// Returns the cells with local maxima of at least the root score, the highest score first.
  ///
  /// Equal scores are ordered by row, column and part, which is PlankLab's choice.
  package func candidates(in tensors: PoseNetTensors) -> [Candidate] {
    var found: [Candidate] = []
    for row in 0..<tensors.rows {
      for column in 0..<tensors.columns {
        let cell = Cell(row: row, column: column)
        for part in 0..<PoseNetTensors.partCount
        where Double(tensors.score(at: cell, part)) >= decoding.rootScore
          && isLocalMaximum(cell, part, tensors)
        {
          found.append(Candidate(cell: cell, part: part))
        }
      }
    }
    return found.enumerated().sorted { one, other in
      let scores = (
        tensors.score(at: one.element.cell, one.element.part),
        tensors.score(at: other.element.cell, other.element.part)
      )
      return scores.0 == scores.1 ? one.offset < other.offset : scores.0 > scores.1
    }.map(\.element)
  }

  private func isLocalMaximum(_ cell: Cell, _ part: Int, _ tensors: PoseNetTensors) -> Bool {
    let score = tensors.score(at: cell, part)
    let radius = decoding.windowRadius
    let columns = max(0, cell.column - radius)...min(tensors.columns - 1, cell.column + radius)
    for row in max(0, cell.row - radius)...min(tensors.rows - 1, cell.row + radius) {
      if decoding.comparesDiagonalsOnly, row == cell.row { continue }
      for column in columns {
        if decoding.comparesDiagonalsOnly, column == cell.column { continue }
        if tensors.score(at: Cell(row: row, column: column), part) > score { return false }
      }
    }
    return true
  }

  private func isTaken(_ position: PixelPoint, _ part: Int, by people: [DecodedPerson]) -> Bool {
    let limit = decoding.matchingDistance * decoding.matchingDistance
    return people.contains { person in
      guard let point = person.points[part] else { return false }
      let (dx, dy) = (point.position.x - position.x, point.position.y - position.y)
      return dx * dx + dy * dy <= limit
    }
  }
}

package struct DecodedPerson: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package let position: PixelPoint
    /// The cell in which displacements to neighboring joints are read.
    package let cell: Cell
    package let score: Double
  }

  /// One point per part in PoseNet's order (`Skeleton.coco17`); nil where the decoder gives none.
  package let points: [Point?]
  /// The mean score over all 17 parts; a part counts as 0 if another person has it at the same
  /// place.
  package let score: Double
}

private struct PoseNetTree {
  let decoding: PoseNetDecoding
  let tensors: PoseNetTensors

  private static let edges: [(parent: Int, child: Int)] = [
    (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15),
    (0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16),
  ]

  func points(from root: DecodedPerson.Point, _ part: Int) -> [DecodedPerson.Point?] {
    var points = [DecodedPerson.Point?](repeating: nil, count: PoseNetTensors.partCount)
    points[part] = root
    if decoding.followsValidJoints {
      followValidJoints(from: part, &points)
    } else {
      followAllEdges(&points)
    }
    return points
  }

  private func followAllEdges(_ points: inout [DecodedPerson.Point?]) {
    for (index, edge) in Self.edges.enumerated().reversed() {
      guard let child = points[edge.child], points[edge.parent] == nil else { continue }
      points[edge.parent] = step(
        from: child, by: tensors.backward(at: child.cell, index), to: edge.parent)
    }
    for (index, edge) in Self.edges.enumerated() {
      guard let parent = points[edge.parent], points[edge.child] == nil else { continue }
      points[edge.child] = step(
        from: parent, by: tensors.forward(at: parent.cell, index), to: edge.child)
    }
  }

  private func followValidJoints(from root: Int, _ points: inout [DecodedPerson.Point?]) {
    var queue = [root]
    var isSeen = Set([root])
    while !queue.isEmpty {
      let part = queue.removeFirst()
      guard let point = points[part] else { continue }
      for (index, edge) in Self.edges.enumerated() where edge.parent == part || edge.child == part {
        let isForward = edge.parent == part
        let target = isForward ? edge.child : edge.parent
        guard isSeen.insert(target).inserted else { continue }
        let displacement =
          isForward
          ? tensors.forward(at: point.cell, index) : tensors.backward(at: point.cell, index)
        guard let found = step(from: point, by: displacement, to: target),
          found.score >= decoding.jointScore
        else { continue }
        points[target] = found
        queue.append(target)
      }
    }
  }

  private func step(
    from source: DecodedPerson.Point, by displacement: (y: Float, x: Float), to part: Int
  ) -> DecodedPerson.Point? {
    var position = PixelPoint(
      x: source.position.x + Double(displacement.x), y: source.position.y + Double(displacement.y))
    for _ in 0..<decoding.refinements {
      guard let cell = cell(at: position) else { return nil }
      position = tensors.position(at: cell, part)
    }
    guard let cell = cell(at: position) else { return nil }
    return DecodedPerson.Point(
      position: position, cell: cell, score: Double(tensors.score(at: cell, part)))
  }

  private func cell(at position: PixelPoint) -> Cell? {
    decoding.followsValidJoints && !tensors.isInGrid(position)
      ? nil : tensors.nearestCell(to: position)
  }
}

/// Parameters for finding people in PoseNet's tensors.
///
/// The `published` reading keeps all 17 joints and takes the nearest cell for positions outside the
/// grid. In the `sample` reading, a position outside the grid or a score below `jointScore` ends
/// its branch.
package struct PoseNetDecoding: Hashable, Sendable {
  package enum Reading: String, CaseIterable, Hashable, Sendable {
    case published
    case sample
  }

  package let reading: Reading
  package var isSingle = false
  package var rootScore: Double
  /// The number of cells on each side of a candidate with which it is compared.
  package var windowRadius: Int
  /// The largest distance, in pixels of the network's input, between two detections of one joint.
  package var matchingDistance: Double
  package var refinements: Int
  package var maximumPeople: Int
  package var minimumPersonScore: Double
  /// Whether to reproduce a mistake in Apple's sample.
  ///
  /// The sample is meant to skip only the candidate's own cell in comparisons, but it skips the
  /// cell's whole row and column. It finds mostly the same people.
  package var comparesDiagonalsOnly = false

  let jointScore = 0.1

  var followsValidJoints: Bool { reading == .sample }

  package init(_ reading: Reading = .published) {
    self.reading = reading
    let isSample = reading == .sample
    rootScore = isSample ? 0.1 : 0.5
    windowRadius = isSample ? 3 : 1
    matchingDistance = isSample ? 40 : 20
    refinements = isSample ? 3 : 2
    maximumPeople = isSample ? 15 : 5
    minimumPersonScore = isSample ? 0.5 : 0
  }

  package func check() throws {
    try Self.check("the root score", rootScore, 0...1)
    try Self.check("the radius of the window", Double(windowRadius), 1...100)
    try Self.check("the matching distance", matchingDistance, 0...10_000)
    try Self.check("the number of corrections", Double(refinements), 0...100)
    try Self.check("the number of people", Double(maximumPeople), 1...1000)
    try Self.check("the score of a person", minimumPersonScore, 0...1)
  }

  private static func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
    guard range.contains(value) else {
      throw PoseSourceError.invalidOption(
        name, found: value.plain, allowed: "\(range.lowerBound.plain) to \(range.upperBound.plain)")
    }
  }
}
