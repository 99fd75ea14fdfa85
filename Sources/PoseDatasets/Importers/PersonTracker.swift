import PoseModel

/// One person in one image: joints in one unit for both axes, such as pixels.
struct ImagePerson: Hashable, Sendable {
  /// Every joint that was found; finite.
  let positions: [Joint: SIMD2<Double>]
  /// The detector's trust in each of them.
  let confidences: [Joint: Float]

  /// Width and height of the box around all joints.
  var extent: SIMD2<Double> {
    guard let first = positions.values.first else { return SIMD2() }
    let low = positions.values.reduce(first) { pointwiseMin($0, $1) }
    let high = positions.values.reduce(first) { pointwiseMax($0, $1) }
    return high - low
  }

  /// The mean distance of the joints that both have, over the larger diagonal of both boxes.
  ///
  /// - Returns: nil without a common joint, or where neither has a size.
  func distance(to other: ImagePerson) -> Double? {
    let common = positions.compactMap { joint, position in
      other.positions[joint].map { Self.length(position - $0) }
    }
    let size = max(Self.length(extent), Self.length(other.extent))
    guard !common.isEmpty, size > 0 else { return nil }
    // Sorted, since a sum in the order of a dictionary differs from run to run in its last digit.
    return common.sorted().reduce(0, +) / Double(common.count) / size
  }

  private static func length(_ vector: SIMD2<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}

/// What one person did over a recording.
struct PersonTrack: Sendable {
  /// The person in each image in which they were found, by the image's index.
  fileprivate(set) var images: [Int: ImagePerson] = [:]
  /// The image of the last sighting.
  fileprivate var last = 0
  /// Images in which somebody else could have been this person.
  fileprivate(set) var doubts: [Int] = []
  /// Images before which the person moved farther than people do.
  fileprivate(set) var jumps: [Int] = []

  /// How much of the recording's images the person fills: the sum of the areas of their boxes.
  var prominence: Double {
    images.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value.extent.x * $1.value.extent.y }
  }
}

/// Tells who is who from one image to the next, by where people are.
///
/// In every image, the pair of a known person and a found one whose distance is smallest is taken
/// first, then the next, as long as the distance is at most `farthest`; equal distances go by the
/// order in which people were first seen, then by their order in the image. Whoever is left over is
/// somebody new. A person who was not seen for more than `FrameTiming.longestGap` does not come back.
enum PersonTracker {
  /// The greatest distance of the same person in two images, in body sizes.
  static let farthest = 0.5
  /// A distance that is reported, in body sizes: a person who runs past takes less per frame.
  static let jump = 0.25

  private struct Pair {
    let track: Int
    let person: Int
    let distance: Double
  }

  /// The people of a recording, the most prominent first, equal ones in the order of their first
  /// sighting.
  ///
  /// - Complexity: O(images * people^2).
  static func tracks(of images: [[ImagePerson]], times: [Double]) -> [PersonTrack] {
    var tracks: [PersonTrack] = []
    for (image, people) in images.enumerated() {
      var isFree = people.map { _ in true }
      let pairs = pairs(tracks, people, image: image, times: times)
      var isOpen = tracks.map { _ in true }
      for pair in pairs where isOpen[pair.track] && isFree[pair.person] {
        isOpen[pair.track] = false
        isFree[pair.person] = false
        let isDoubtful = pairs.contains {
          ($0.track == pair.track) != ($0.person == pair.person)
        }
        if isDoubtful { tracks[pair.track].doubts.append(image) }
        if pair.distance > jump { tracks[pair.track].jumps.append(image) }
        tracks[pair.track].images[image] = people[pair.person]
        tracks[pair.track].last = image
      }
      for (index, person) in people.enumerated() where isFree[index] {
        tracks.append(PersonTrack(images: [image: person], last: image))
      }
    }
    return tracks.enumerated().map { (offset: $0.offset, area: $0.element.prominence, $0.element) }
      .sorted { ($1.area, $0.offset) < ($0.area, $1.offset) }.map(\.2)
  }

  /// Who could be whom, the nearest first.
  private static func pairs(
    _ tracks: [PersonTrack], _ people: [ImagePerson], image: Int, times: [Double]
  ) -> [Pair] {
    var pairs: [Pair] = []
    for (index, track) in tracks.enumerated()
    where times[image] - times[track.last] <= FrameTiming.longestGap + FrameTiming.slack {
      guard let known = track.images[track.last] else { continue }
      for (number, person) in people.enumerated() {
        guard let distance = known.distance(to: person), distance <= farthest else { continue }
        pairs.append(Pair(track: index, person: number, distance: distance))
      }
    }
    return pairs.sorted {
      ($0.distance, $0.track, $0.person) < ($1.distance, $1.track, $1.person)
    }
  }
}

/// The people of a recording in 2D, on their way into recordings of their own.
struct TrackedPeople {
  /// The recording's name.
  let name: String
  /// What all of their recordings have in common; its joints are recorded.
  let header: RecordingHeader
  /// Seconds of each image, in whole microseconds.
  let times: [Double]
  /// The people in each image.
  let images: [[ImagePerson]]
  /// A position in the unit of the header's skeleton.
  let recorded: (SIMD2<Double>) -> SIMD2<Double>

  /// One sequence for the most prominent person, or one for each.
  ///
  /// - Parameter isEveryone: whether everyone is imported; names then end in the person's number.
  /// - Returns: one sequence without a pose where nobody is seen.
  func sequences(everyone isEveryone: Bool) -> [ImportedSequence] {
    let tracks = PersonTracker.tracks(of: images, times: times)
    let chosen = isEveryone ? tracks : Array(tracks.prefix(1))
    guard !chosen.isEmpty else { return [sequence(of: PersonTrack(), number: nil, among: tracks)] }
    return chosen.enumerated().map { index, track in
      sequence(of: track, number: isEveryone && tracks.count > 1 ? index + 1 : nil, among: tracks)
    }
  }

  private func sequence(
    of track: PersonTrack, number: Int?, among tracks: [PersonTrack]
  ) -> ImportedSequence {
    var recording = Recording(header: header)
    recording.reserveCapacity(times.count)
    for (image, time) in times.enumerated() {
      guard let person = track.images[image] else {
        recording.append(time: Seconds(time), pose: nil)
        continue
      }
      let pose = header.joints.flatMap { joint in
        let pair = person.positions[joint].map(recorded).map { [Float($0.x), Float($0.y)] } ?? []
        return pair.count == 2 && pair.allSatisfy(\.isFinite) ? pair : [.nan, .nan]
      }
      let confidences = header.joints.map { person.confidences[$0] ?? 0 }
      pose.withUnsafeBufferPointer { pose in
        confidences.withUnsafeBufferPointer {
          recording.append(time: time, pose: pose, confidences: $0)
        }
      }
    }
    var tags = ["source": name]
    if let number { tags["person"] = "\(number)" }
    return ImportedSequence(
      name: number.map { "\(name)-\($0)" } ?? name, recording: recording,
      labels: LabelTrack(), startsMid: false, tags: tags,
      notes: notes(track, number: number, among: tracks))
  }

  private func notes(
    _ track: PersonTrack, number: Int?, among tracks: [PersonTrack]
  ) -> [String] {
    guard !tracks.isEmpty else { return ["nobody is seen"] }
    var notes: [String] = []
    if tracks.count > 1 {
      let total = tracks.reduce(0) { $0 + $1.prominence }
      let share = total > 0 ? Int((100 * track.prominence / total).rounded()) : 0
      notes.append(
        "\(CountText.of(tracks.count, "person", plural: "people")) seen; "
          + (number.map { "person \($0)" } ?? "the most prominent one, who")
          + " takes \(share) % of the area of all, summed over the images")
    }
    if let first = track.doubts.first {
      notes.append(
        "\(name): somebody else was near enough to be this person in "
          + "\(CountText.of(track.doubts.count, "image")), first at \(times[first]) s")
    }
    if let first = track.jumps.first {
      notes.append(
        "\(name): the person jumps by more than a quarter of the body's size "
          + "\(CountText.of(track.jumps.count, "time")), first at \(times[first]) s: it may be "
          + "somebody else from then on")
    }
    return notes
  }
}
