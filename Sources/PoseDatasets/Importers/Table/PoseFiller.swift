import PoseModel

/// What a file has in place of a joint that was not found: one number for all coordinates, such as
/// 9999, or the coordinates of a point, such as 0 and 1.
package struct PoseFiller: Hashable, Sendable {
  package let numbers: [Double]

  package init(_ numbers: [Double]) {
    let isOne = numbers.dropFirst().allSatisfy { $0 == numbers[0] }
    self.numbers = isOne ? Array(numbers.prefix(1)) : numbers
  }

  package static let zero = PoseFiller([0])

  /// `noise` is how far from 0 coordinates may be that stand for it.
  func fills(_ coordinates: [Double], noise: Double) -> Bool {
    if self == .zero { return coordinates.allSatisfy { $0.magnitude <= noise } }
    return numbers.count == 1
      ? coordinates.allSatisfy { $0 == numbers[0] } : coordinates.elementsEqual(numbers)
  }

  package var text: String {
    let texts = numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }
    return texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ", ") + "]"
  }
}

extension TableMap.Units {
  /// Coordinates that are all nearer to 0 stand for 0.
  var noise: Double { self == .pixels ? 1e-2 : 1e-5 }
}

extension FrameReader {
  /// The root of a body in 3D may be the origin: `TableClip` decides over all frames.
  func isFiller(_ coordinates: [Double], at joint: Joint) -> Bool {
    let noise = map.units.noise
    guard let filler = map.fillers.first(where: { $0.fills(coordinates, noise: noise) }) else {
      return false
    }
    return !(joint == .root && filler == .zero && map.skeleton.dimension == 3)
  }
}

extension MappedFrame {
  /// Whether both have a pose, and exactly the same one.
  func hasSamePositions(as other: MappedFrame) -> Bool {
    !isEmpty
      && zip(positions, other.positions).allSatisfy { $0 == $1 || (!$0.isFinite && !$1.isFinite) }
  }

  /// Whether it says the same as another frame, be it that nobody is there.
  func repeats(_ other: MappedFrame) -> Bool {
    (isEmpty && other.isEmpty) || hasSamePositions(as: other)
  }

  mutating func dropPositions() {
    positions = positions.map { _ in .missing }
  }
}
