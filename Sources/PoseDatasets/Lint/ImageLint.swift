import PoseModel

/// Checks 2D recordings against Apple's advice in "Detecting human body poses in images".
struct ImageLint {
  /// The smallest body height, in image heights, that is not reported; Apple's advice.
  ///
  /// The body height is the longer side of the box around the joints, because a lying person is as
  /// wide as a standing person is tall.
  static let smallestBody = 1.0 / 3
  /// The smallest share of poses with a fault that is reported; chosen by PlankLab.
  static let share = 0.1

  private static let regions: [(name: String, groups: [JointGroup])] = [
    ("the torso", [.torso]), ("both arms", [.leftArm, .rightArm]),
    ("both legs", [.leftLeg, .rightLeg]),
  ]

  let path: String
  let recording: Recording

  var findings: [LintFinding] {
    guard recording.layout.dimension == 2 else { return [] }
    let people = (0..<recording.frameCount).compactMap { frame in
      ImagePerson(recording, frame: frame).map { (frame: frame, person: $0) }
    }
    guard !people.isEmpty else { return [] }
    return [
      recording.header.imageScale == nil ? unknownSize : smallBody(people), missingRegions(people),
      jumps(people),
    ].compactMap(\.self)
  }

  private typealias Sighting = (frame: Int, person: ImagePerson)

  private var unknownSize: LintFinding {
    .warning(
      .unknownImageSize, file: path, line: 1,
      message: "the header does not give the size of the images, so the shape of bodies is unknown",
      remedy: "add \"image_width_px\" and \"image_height_px\"")
  }

  private func smallBody(_ people: [Sighting]) -> LintFinding? {
    let lengths = people.map { max($0.person.extent.x, $0.person.extent.y) }
    let small = zip(people, lengths).filter { $0.1 < Self.smallestBody }.map(\.0.frame)
    guard let first = small.first, isFrequent(small.count, of: people.count) else { return nil }
    let median = lengths.sorted()[lengths.count / 2]
    return .warning(
      .smallBody, file: path, line: first + RecordingLint.firstFrameLine,
      message:
        "in \(small.count) of \(CountText.of(people.count, "pose")), the body is shorter than "
        + "a third of the image's height (median \((median * 100).rounded() / 100))",
      remedy: "move the camera closer, or crop the images before detection; Apple recommends a "
        + "third")
  }

  private func missingRegions(_ people: [Sighting]) -> LintFinding? {
    let recorded = Set(recording.header.joints)
    var first = Int.max
    var parts: [String] = []
    for (name, groups) in Self.regions {
      let wanted = groups.map { $0.joints(in: recording.header.skeleton) }
      let frames = people.filter { sighting in
        wanted.allSatisfy { joints in
          2 * joints.count { sighting.person.positions[$0] != nil } < joints.count
        }
      }.map(\.frame)
      guard !recorded.isDisjoint(with: wanted.joined()), let frame = frames.first,
        isFrequent(frames.count, of: people.count)
      else { continue }
      first = min(first, frame)
      parts.append("\(name) in \(frames.count)")
    }
    guard !parts.isEmpty else { return nil }
    return .warning(
      .missingRegions, file: path, line: first + RecordingLint.firstFrameLine,
      message: "most joints are missing in some of \(CountText.of(people.count, "pose")): "
        + parts.joined(separator: ", "),
      remedy: "show the whole body: move the camera back, rotate it, or light the room better")
  }

  private func jumps(_ people: [Sighting]) -> LintFinding? {
    let frames = zip(people, people.dropFirst()).filter { one, next in
      recording.times[next.frame] - recording.times[one.frame]
        <= FrameTiming.longestGap + FrameTiming.slack
        && one.person.distance(to: next.person) ?? 0 > PersonTracker.jump
    }.map(\.1.frame)
    guard let first = frames.first else { return nil }
    return .warning(
      .personJumps, file: path, line: first + RecordingLint.firstFrameLine,
      message: "the person moves by more than a quarter of the body's size from one frame to the "
        + "next \(CountText.of(frames.count, "time")), first at \(recording.times[first]) s",
      remedy: "check with `dataset show --picture --at` whether it is someone else; if so, split "
        + "the recording there")
  }

  private func isFrequent(_ count: Int, of total: Int) -> Bool {
    Double(count) >= Self.share * Double(total)
  }
}

extension ImagePerson {
  init?(_ recording: Recording, frame: Int) {
    let scale = recording.header.imageScale
    var positions: [Joint: SIMD2<Double>] = [:]
    for joint in recording.header.joints {
      guard let position = recording.position(of: joint, at: frame) else { continue }
      let point = scale?(position) ?? position
      positions[joint] = SIMD2(point.x, point.y)
    }
    guard !positions.isEmpty else { return nil }
    self.init(positions: positions, confidences: [:])
  }
}

/// How much other people get in the way of a person; a tag of imported 2D recordings.
package enum OtherPeople: String, CaseIterable, Hashable, Sendable {
  case none
  /// Other people are visible, but they rarely overlap the person and are rarely a crowd.
  case apart
  /// In at least a tenth of the person's images, another person's box overlaps the person's box.
  case overlapping
  /// In at least a tenth of the person's images, at least five people are visible.
  case crowd

  package static let tag = "other_people"
}

struct Bystanders {
  /// The number of people that make a crowd; chosen by PlankLab, because Apple warns of "dense
  /// crowd scenes" without a number.
  static let crowd = 5
  /// The smallest share of a person's images in which overlaps or crowds count; chosen by PlankLab.
  private static let share = 0.1

  private(set) var overlapping: [Int] = []
  private(set) var crowded: [Int] = []
  let others: OtherPeople

  init(of track: PersonTrack, in images: [[ImagePerson]]) {
    var isAlone = true
    for (image, person) in track.images.sorted(by: { $0.key < $1.key }) {
      var others = images[image]
      if let own = others.firstIndex(of: person) { others.remove(at: own) }
      if others.contains(where: person.overlaps) { overlapping.append(image) }
      if others.count + 1 >= Self.crowd { crowded.append(image) }
      isAlone = isAlone && others.isEmpty
    }
    let least = Self.share * Double(max(track.images.count, 1))
    others =
      Double(crowded.count) >= least
      ? .crowd
      : Double(overlapping.count) >= least ? .overlapping : isAlone ? .none : .apart
  }
}
