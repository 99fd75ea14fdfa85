internal import PoseModel

/// The variation of every bone's length on holds; sums over sequences.
struct BoneTable: Hashable, Sendable {
  private var sums: [String: BoneSums] = [:]

  /// Adds the holds of a sequence.
  ///
  /// Frames count in which both ends of a bone are there.
  mutating func add(_ joints: JointSeries, _ holds: [Range<Int>]) {
    for bone in Skeleton.vision3d.bones {
      guard let parent = joints.series(bone.parent), let child = joints.series(bone.child) else {
        continue
      }
      var sum = sums[Self.name(bone)] ?? BoneSums()
      for hold in holds {
        sum.add(
          hold.compactMap { frame in
            guard let one = parent.sample(frame), let other = child.sample(frame) else {
              return nil
            }
            return ((one - other) * (one - other)).sum().squareRoot()
          })
      }
      sums[Self.name(bone)] = sum
    }
  }

  static func += (left: inout BoneTable, right: BoneTable) {
    for (name, sum) in right.sums { left.sums[name, default: BoneSums()].add(sum) }
  }

  /// The bones in the order of the skeleton.
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
  /// The positions of a joint; nil where the layout has none.
  func series(_ joint: Joint) -> StridedSeries? {
    let offset = layout.offsets[joint.index]
    guard offset >= 0 else { return nil }
    return StridedSeries(
      values: positions, offset: offset, stride: layout.stride, dimension: layout.dimension,
      period: nil)
  }
}
