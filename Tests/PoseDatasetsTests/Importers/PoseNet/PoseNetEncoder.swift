import Foundation
import TestSupport

/// Makes the tensors that a perfect PoseNet would put out for people whose joints are known.
///
/// Written from the published description of the tensors alone: Gaussian scores around each
/// joint, offsets that lead from a cell to the joint, displacements that lead along an edge of the
/// tree. Offsets and displacements are exact within `reach` cells of a joint and zero elsewhere.
struct PoseNetEncoder {
  typealias Point = SIMD2<Double>

  /// The edges of the tree from parent to child, by part number.
  static let edges: [(parent: Int, child: Int)] = [
    (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15),
    (0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16),
  ]

  /// Seventeen joints per person, x and y in pixels of the network's input.
  var people: [[Point]]
  var stride = 16
  var rows = 33
  var columns = 33
  /// Pixels at which a score has fallen to exp(-1/2).
  var spread = 16.0
  /// Cells around a joint in which offsets and displacements are exact.
  var reach = 2.0
  /// The standard deviation in pixels of what is added to every displacement.
  var displacementNoise = 0.0
  var seed: UInt64 = 1

  /// Scores as [row, column, part].
  var heatmaps: [Float] {
    cells.flatMap { cell in
      (0..<17).map { part in
        Float(people.map { gaussian(from: cell, to: $0[part]) }.max() ?? 0)
      }
    }
  }

  /// Offsets as [row, column, 34]: y of all parts, then x of all parts.
  var offsets: [Float] {
    cells.flatMap { cell in
      let vectors = (0..<17).map { part in
        nearest(part, to: cell).map { $0[part] - cell } ?? Point()
      }
      return vectors.map { Float($0.y) } + vectors.map { Float($0.x) }
    }
  }

  /// Displacements from parent to child as [row, column, 32].
  var forward: [Float] { displacements(stream: 0) { ($0.parent, $0.child) } }

  /// Displacements from child to parent as [row, column, 32].
  var backward: [Float] { displacements(stream: 1) { ($0.child, $0.parent) } }

  private var cells: [Point] {
    (0..<rows).flatMap { row in
      (0..<columns).map { Point(Double($0 * stride), Double(row * stride)) }
    }
  }

  private func gaussian(from cell: Point, to joint: Point) -> Double {
    let difference = joint - cell
    return exp(-(difference * difference).sum() / (2 * spread * spread))
  }

  /// The person whose joint is nearest to a cell, where it is within reach.
  private func nearest(_ part: Int, to cell: Point) -> [Point]? {
    func squared(_ person: [Point]) -> Double {
      let difference = person[part] - cell
      return (difference * difference).sum()
    }
    let limit = reach * Double(stride)
    return people.filter { squared($0) <= limit * limit }.min { squared($0) < squared($1) }
  }

  private func displacements(
    stream: UInt64, _ ends: ((parent: Int, child: Int)) -> (from: Int, to: Int)
  ) -> [Float] {
    var noise = SplitMix64(spread: Int(truncatingIfNeeded: seed &* 2 &+ stream))
    return cells.flatMap { cell in
      let vectors = Self.edges.map { edge in
        let (from, to) = ends(edge)
        let exact = nearest(from, to: cell).map { $0[to] - $0[from] } ?? Point()
        guard displacementNoise > 0 else { return exact }
        return exact + Point(noise.nearlyNormal(), noise.nearlyNormal()) * displacementNoise
      }
      return vectors.map { Float($0.y) } + vectors.map { Float($0.x) }
    }
  }
}

extension PoseNetEncoder {
  /// Two people side by side, about 275 pixels apart, on a grid of 33 x 33 cells of 16 pixels.
  ///
  /// Of the 34 joints, 13 have a y halfway between two cells, so that two cells tie for the highest
  /// score; 5 are as far from their nearest cell in x as in y.
  static let couple = PoseNetEncoder(people: [first, second])

  static let first: [Point] = [
    Point(115, 36), Point(121, 24), Point(109, 24), Point(127, 28), Point(103, 28),
    Point(147, 72), Point(83, 72), Point(161, 119), Point(69, 119), Point(167, 165),
    Point(63, 165), Point(139, 168), Point(91, 168), Point(141, 247), Point(89, 247),
    Point(142, 322), Point(87, 322),
  ]

  static let second: [Point] = [
    Point(390, 56), Point(396, 45), Point(384, 45), Point(402, 50), Point(378, 50),
    Point(420, 88), Point(358, 88), Point(434, 136), Point(345, 136), Point(437, 181),
    Point(339, 181), Point(414, 184), Point(366, 184), Point(418, 267), Point(363, 267),
    Point(417, 339), Point(362, 339),
  ]
}
