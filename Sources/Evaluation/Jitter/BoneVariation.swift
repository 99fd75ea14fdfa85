internal import PoseModel

package struct BoneVariation: Codable, Hashable, Sendable {
  package let name: String
  package let frames: Int
  package let length: MetricValue
  /// The standard deviation about each hold's mean over the mean length.
  package let variation: MetricValue
}

struct BoneTable: Hashable, Sendable {
  private var sums: [String: BoneSums] = [:]

  mutating func add(_ joints: JointSeries, _ holds: [Range<Int>]) {
    var lengths: [Double] = []
    for bone in Skeleton.vision3d.bones {
      guard let parent = joints.series(bone.parent), let child = joints.series(bone.child) else {
        continue
      }
      var sum = sums[Self.name(bone)] ?? BoneSums()
      for hold in holds {
        lengths.removeAll(keepingCapacity: true)
        for frame in hold {
          guard let one = parent.sample(frame), let other = child.sample(frame) else { continue }
          lengths.append(((one - other) * (one - other)).sum().squareRoot())
        }
        sum.add(lengths)
      }
      sums[Self.name(bone)] = sum
    }
  }

  static func += (left: inout BoneTable, right: BoneTable) {
    for (name, sum) in right.sums { left.sums[name, default: BoneSums()].add(sum) }
  }

  var rows: [BoneVariation] {
    Skeleton.vision3d.bones.compactMap { bone in
      sums[Self.name(bone)]?.variation(Self.name(bone))
    }
  }

  private static func name(_ bone: (parent: Joint, child: Joint)) -> String {
    "\(bone.parent.name)-\(bone.child.name)"
  }
}

extension JointSeries {
  func series(_ joint: Joint) -> StridedSeries? {
    let offset = layout.offsets[joint.index]
    guard offset >= 0 else { return nil }
    return StridedSeries(
      values: positions, offset: offset, stride: layout.stride, dimension: layout.dimension,
      period: nil)
  }
}

struct BoneSums: Hashable {
  private var frames = 0
  private var lengths = 0.0
  private var squares = 0.0

  mutating func add(_ values: [Double]) {
    guard !values.isEmpty else { return }
    let mean = values.reduce(0, +) / Double(values.count)
    frames += values.count
    lengths += mean * Double(values.count)
    squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  mutating func add(_ other: BoneSums) {
    frames += other.frames
    lengths += other.lengths
    squares += other.squares
  }

  func variation(_ name: String) -> BoneVariation {
    let count = Double(frames)
    let spread = frames > 0 ? (squares / count).squareRoot() : 0
    return BoneVariation(
      name: name, frames: frames,
      length: .ratio(lengths, count, orElse: .noValidFrame),
      variation: frames == 0
        ? .undefined(.noValidFrame) : .ratio(spread, lengths / count, orElse: .constant))
  }
}
