import Foundation
import PoseDatasets

/// Decoding PoseNet's tensors: several people on a grid of 33 x 33 cells of 16 pixels.
struct PoseNetBenchmark {
  private let tensors: PoseNetTensors

  /// How many people the tensors show.
  static let people = 4
  private static let side = 33
  private static let stride = 16

  /// Makes tensors from a seed: bodies with random joints in columns of their own, each joint a peak
  /// of scores over 5 x 5 cells that know the way to it and to its neighbors in the tree.
  init(seed: UInt64) {
    let (cells, edges) = (Self.side * Self.side, Self.edges)
    var scores = [Float](repeating: 0, count: cells * 17)
    var offsets = [Float](repeating: 0, count: cells * 34)
    var forward = [Float](repeating: 0, count: cells * 32)
    var backward = forward
    var random = SplitMix64(seed: seed)
    func unit() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }
    for person in 0..<Self.people {
      let joints = (0..<17).map { _ in
        SIMD2(Double(40 + 128 * person), 40) + SIMD2(unit(), unit()) * SIMD2(90, 430)
      }
      for (part, joint) in joints.enumerated() {
        for cell in Self.cells(around: joint) {
          let place =
            SIMD2(Double(cell % Self.side), Double(cell / Self.side)) * Double(Self.stride)
          let way = joint - place
          scores[cell * 17 + part] = Float(exp(-(way * way).sum() / 512))
          offsets[cell * 34 + part] = Float(way.y)
          offsets[cell * 34 + 17 + part] = Float(way.x)
          for (index, edge) in edges.enumerated() where edge.parent == part {
            forward[cell * 32 + index] = Float(joints[edge.child].y - joint.y)
            forward[cell * 32 + 16 + index] = Float(joints[edge.child].x - joint.x)
          }
          for (index, edge) in edges.enumerated() where edge.child == part {
            backward[cell * 32 + index] = Float(joints[edge.parent].y - joint.y)
            backward[cell * 32 + 16 + index] = Float(joints[edge.parent].x - joint.x)
          }
        }
      }
    }
    tensors = PoseNetTensors(
      rows: Self.side, columns: Self.side, stride: Self.stride, scores: scores, offsets: offsets,
      forward: forward, backward: backward)
  }

  /// Decodes one image; the checksum is over every joint of everyone.
  func decode(_ reading: PoseNetDecoding.Reading) -> UInt64 {
    var sum = Checksum()
    for person in PoseNetDecoder(PoseNetDecoding(reading)).people(in: tensors) {
      sum.add(person.score)
      for point in person.points {
        sum.add(point?.position.x ?? .nan)
        sum.add(point?.position.y ?? .nan)
      }
    }
    return sum.value
  }

  private static func cells(around joint: SIMD2<Double>) -> [Int] {
    let (row, column) = (Int(joint.y) / stride, Int(joint.x) / stride)
    return (row - 2...row + 2).flatMap { row in
      (column - 2...column + 2).compactMap { column in
        (0..<side).contains(row) && (0..<side).contains(column) ? row * side + column : nil
      }
    }
  }

  private static let edges: [(parent: Int, child: Int)] = [
    (0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15),
    (0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16),
  ]
}
