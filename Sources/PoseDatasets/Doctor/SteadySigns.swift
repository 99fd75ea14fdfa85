import Platform
import PoseModel

// What stays the same over a recording: the unit of its positions, and the floor.
extension TableExamination {
  /// Bodies that change their size for good, as where a file goes on in another unit.
  mutating func blockUnitChange(_ frames: [[Joint: Vector3]]) -> Bool {
    let sizes = frames.enumerated().compactMap { index, frame -> (index: Int, size: Double)? in
      BodyPose(limbs: frame).trunkAndLegLength.flatMap { $0 > 0 ? (index, $0) : nil }
    }
    let head = min(Self.fewestAlike, sizes.count / 2)
    guard head >= 5, let first = sizes.prefix(head).map(\.size).median else { return false }
    // A cut of a film makes people larger or smaller in the image, but not by so much.
    let factor = map.skeleton.dimension == 3 ? 4.0 : 20
    func isAnother(_ size: Double) -> Bool { size > factor * first || size < first / factor }
    var run = 0
    for (place, one) in sizes.enumerated() {
      run = isAnother(one.size) ? run + 1 : 0
      guard run == head else { continue }
      let start = place - head + 1
      let after = sizes[start...].map(\.size).median ?? one.size
      let frame = sizes[start].index * table.count / max(samples.count, 1)
      diagnosis.block(
        "the unit changes: trunk and legs are \(Self.short(first)) long at first, and "
          + "\(Self.short(after)) from about frame \(frame) on",
        "divide the positions from there on by \(Self.short(after / first)), or split the file "
          + "there and import its parts one by one")
      return true
    }
    return false
  }

  private static let fewestAlike = 10
  private static let largestLean = 13.0

  /// Whether people who stand, or hands and feet in planks, lean against the axis that is up.
  mutating func examineLean(_ signs: BodySigns) {
    guard map.up == nil, map.upField == nil else { return }
    let up = map.axes[1].vector
    let ways = signs.frames.compactMap(Self.standingWay).filter { $0.dot(up) > 0.75 }
    guard ways.count >= Self.fewestAlike, let x = ways.map(\.x).median,
      let y = ways.map(\.y).median, let z = ways.map(\.z).median
    else { return }
    let middle = Vector3(x, y, z)
    let way = middle / middle.norm
    // People sway and bend, but most of them are within eight degrees.
    guard ways.count(where: { $0.dot(way) > 0.99 }) * 3 > ways.count * 2 else { return }
    let lean = acos(min(1, way.dot(up))) * 180 / .pi
    guard lean > Self.largestLean else { return }
    let own = map.axes.map { (($0(way)) * 1000).rounded() / 1000 }
    let vector = "[\(own.map { "\($0)" }.joined(separator: ", "))]"
    diagnosis.conclude(
      "floor", "leans: people stand \(Int(lean.rounded())) degrees off the axis that is up",
      .unsure,
      "in \(CountText.of(ways.count, "frame")) with straight trunk and legs",
      alternatives: [
        "`up: \(vector)` in the map, if the camera leaned; or record the camera's matrix or gravity "
          + "with every frame"
      ])
  }

  /// The way from feet to shoulders of a body that is straight, of length 1.
  private static func standingWay(_ frame: [Joint: Vector3]) -> Vector3? {
    guard let left = frame[.leftAnkle], let right = frame[.rightAnkle],
      let leftKnee = frame[.leftKnee], let rightKnee = frame[.rightKnee],
      let hips = BodyPose(limbs: frame).positions[.root],
      let shoulders = BodyPose(limbs: frame).positions[.centerShoulder]
    else { return nil }
    let knees = leftKnee.midpoint(rightKnee)
    let (trunk, thighs) = (shoulders - hips, hips - knees)
    let shanks = knees - left.midpoint(right)
    let way = shoulders - left.midpoint(right)
    guard way.norm > 0,
      [trunk, thighs, shanks].allSatisfy({ $0.norm > 0 && $0.dot(way) > 0.97 * $0.norm * way.norm })
    else { return nil }
    return way / way.norm
  }
}
