import PoseModel

struct ImagePerson: Hashable, Sendable {
  /// The third coordinate is 0 in 2D.
  let positions: [Joint: SIMD3<Double>]
  private(set) var confidences: [Joint: Float] = [:]

  init(positions: [Joint: SIMD3<Double>]) { self.positions = positions }

  init(positions: [Joint: SIMD2<Double>], confidences: [Joint: Float]) {
    self.positions = positions.mapValues { SIMD3($0, 0) }
    self.confidences = confidences
  }

  private var box: (low: SIMD3<Double>, high: SIMD3<Double>) {
    guard let first = positions.values.first else { return (SIMD3(), SIMD3()) }
    return (
      positions.values.reduce(first) { pointwiseMin($0, $1) },
      positions.values.reduce(first) { pointwiseMax($0, $1) }
    )
  }

  var extent: SIMD3<Double> { box.high - box.low }

  func isOfSimilarSize(to other: ImagePerson) -> Bool {
    let sizes = [Self.length(extent), Self.length(other.extent)].sorted()
    return sizes[1] <= 2 * sizes[0]
  }

  func overlaps(_ other: ImagePerson) -> Bool {
    let sides = pointwiseMin(box.high, other.box.high) - pointwiseMax(box.low, other.box.low)
    guard sides.x > 0, sides.y > 0 else { return false }
    let smaller = min(extent.x * extent.y, other.extent.x * other.extent.y)
    return sides.x * sides.y >= 0.1 * smaller
  }

  func distance(to other: ImagePerson) -> Double? {
    let common = positions.compactMap { joint, position in
      other.positions[joint].map { Self.length(position - $0) }
    }
    let size = max(Self.length(extent), Self.length(other.extent))
    guard !common.isEmpty, size > 0 else { return nil }
    // A dictionary's order differs from run to run, and the last digit of a sum depends on the
    // order.
    return common.sorted().reduce(0, +) / Double(common.count) / size
  }

  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}

struct PersonTrack: Sendable {
  fileprivate(set) var images: [Int: ImagePerson] = [:]
  fileprivate(set) var numbers: [Int: Int] = [:]
  fileprivate(set) var last = 0
  fileprivate(set) var hasId = false
  fileprivate(set) var doubts: [Int] = []
  fileprivate(set) var jumps: [Int] = []
  fileprivate(set) var returns: [Int] = []

  mutating func append(_ track: PersonTrack, from first: Int) {
    images.merge(track.images) { $1 }
    numbers.merge(track.numbers) { $1 }
    doubts += track.doubts
    jumps += track.jumps
    returns.append(first)
    last = track.last
  }

  var prominence: Double {
    images.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value.extent.x * $1.value.extent.y }
  }
}

/// Follows people from image to image.
///
/// In each image, the closest pair of a known and a found person is matched first, up to the
/// distance `farthest`. A found person without a match is new. A known person who has been missing
/// for longer than `FrameTiming.longestGap` is not matched again.
enum PersonTracker {
  /// The largest distance, in body sizes, at which people in two images can be the same person.
  static let farthest = 0.5
  /// The distance, in body sizes, beyond which a movement is reported; even a person who runs past
  /// moves less per frame.
  static let jump = 0.25

  private typealias Pair = (track: Int, person: Int, distance: Double)

  static func tracks(
    of images: [[ImagePerson]], times: [Double], ids: [[String?]] = []
  ) -> [PersonTrack] {
    var tracks: [PersonTrack] = []
    var near: [Int] = []
    var owners: [String: Int] = [:]
    for (image, people) in images.enumerated() {
      let ids = ids.isEmpty ? people.map { _ in nil } : ids[image]
      var isFree = people.map { _ in true }
      func take(_ track: Int, _ person: Int) {
        isFree[person] = false
        tracks[track].images[image] = people[person]
        tracks[track].numbers[image] = person
        tracks[track].last = image
        guard let id = ids[person] else { return }
        tracks[track].hasId = true
        owners[id] = track
      }
      near.removeAll {
        times[image] - times[tracks[$0].last] > FrameTiming.longestGap + FrameTiming.slack
      }
      var open = Set(near)
      for (person, id) in ids.enumerated() {
        guard let track = id.flatMap({ owners[$0] }), tracks[track].images[image] == nil else {
          continue
        }
        if open.remove(track) == nil {
          near.append(track)
        } else if let known = tracks[track].images[tracks[track].last],
          known.distance(to: people[person]) ?? 0 > jump
        {
          tracks[track].jumps.append(image)
        }
        take(track, person)
      }
      let pairs = pairs(tracks, near.filter(open.contains), people, isFree, ids)
      for pair in pairs where open.contains(pair.track) && isFree[pair.person] {
        open.remove(pair.track)
        let isDoubtful = pairs.contains { ($0.track == pair.track) != ($0.person == pair.person) }
        if isDoubtful { tracks[pair.track].doubts.append(image) }
        if pair.distance > jump { tracks[pair.track].jumps.append(image) }
        take(pair.track, pair.person)
      }
      for index in people.indices where isFree[index] {
        tracks.append(PersonTrack())
        near.append(tracks.count - 1)
        take(tracks.count - 1, index)
      }
    }
    return byProminence(tracks)
  }

  /// Joins tracks of people who were lost and found again.
  ///
  /// A new track continues a lost one if exactly one person has been missing for longer than the
  /// gap that the tracker bridges, and if the sizes of that person and of the new one differ by a
  /// factor of 2 at most.
  static func joined(_ tracks: [PersonTrack], times: [Double]) -> [PersonTrack] {
    let ordered = tracks.compactMap { track in track.images.keys.min().map { ($0, track) } }
      .sorted { $0.0 < $1.0 }
    var whole: [PersonTrack] = []
    for (first, track) in ordered {
      let missing = whole.indices.filter {
        times[first] - times[whole[$0].last] > FrameTiming.longestGap + FrameTiming.slack
      }
      guard missing.count == 1, let lost = whole[missing[0]].images[whole[missing[0]].last],
        let found = track.images[first], lost.isOfSimilarSize(to: found)
      else {
        whole.append(track)
        continue
      }
      whole[missing[0]].append(track, from: first)
    }
    return byProminence(whole)
  }

  static func byProminence(_ tracks: [PersonTrack]) -> [PersonTrack] {
    tracks.enumerated().map { (offset: $0.offset, area: $0.element.prominence, $0.element) }
      .sorted { ($1.area, $0.offset) < ($0.area, $1.offset) }.map(\.2)
  }

  private static func pairs(
    _ tracks: [PersonTrack], _ near: [Int], _ people: [ImagePerson], _ isFree: [Bool],
    _ ids: [String?]
  ) -> [Pair] {
    var pairs: [Pair] = []
    for index in near {
      guard let known = tracks[index].images[tracks[index].last] else { continue }
      for (number, person) in people.enumerated() where isFree[number] {
        let limit = tracks[index].hasId && ids[number] != nil ? jump : farthest
        guard let distance = known.distance(to: person), distance <= limit else { continue }
        pairs.append((index, number, distance))
      }
    }
    return pairs.sorted { ($0.distance, $0.track, $0.person) < ($1.distance, $1.track, $1.person) }
  }
}

struct TrackedPeople {
  let name: String
  let header: RecordingHeader
  let times: [Double]
  let images: [[ImagePerson]]
  /// The factor by which x in `images` is larger than x in recordings.
  var aspect = 1.0

  func sequences(everyone isEveryone: Bool) -> [ImportedSequence] {
    let tracks = PersonTracker.joined(PersonTracker.tracks(of: images, times: times), times: times)
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
        let pair = person.positions[joint].map { [Float($0.x / aspect), Float($0.y)] } ?? []
        return pair.count == 2 && pair.allSatisfy(\.isFinite) ? pair : [.nan, .nan]
      }
      let confidences = header.joints.map { person.confidences[$0] ?? 0 }
      pose.withUnsafeBufferPointer { pose in
        confidences.withUnsafeBufferPointer {
          recording.append(time: time, pose: pose, confidences: $0)
        }
      }
    }
    let bystanders = Bystanders(of: track, in: images)
    var tags = ["source": name, OtherPeople.tag: bystanders.others.rawValue]
    if let number { tags["person"] = "\(number)" }
    return ImportedSequence(
      name: number.map { "\(name)-\($0)" } ?? name, recording: recording,
      labels: LabelTrack(), startsMid: false, tags: tags,
      notes: tracks.isEmpty
        ? ["nobody is visible"]
        : choice(track, number: number, among: tracks) + warnings(track, bystanders))
  }

  private func choice(_ track: PersonTrack, number: Int?, among tracks: [PersonTrack]) -> [String] {
    guard tracks.count > 1 else { return [] }
    let total = tracks.reduce(0) { $0 + $1.prominence }
    let share = total > 0 ? Int((100 * track.prominence / total).rounded()) : 0
    return [
      "\(CountText.of(tracks.count, "person", plural: "people")) seen; "
        + (number.map { "person \($0)" } ?? "the most prominent one")
        + " covers \(share) % of everyone's area, summed over the images, and is in "
        + "\(track.images.count) of \(CountText.of(times.count, "image"))"
    ]
  }

  private func warnings(_ track: PersonTrack, _ bystanders: Bystanders) -> [String] {
    func note(_ images: [Int], _ text: (_ count: String, _ first: String) -> String) -> String? {
      images.first.map { first in
        "\(name): " + text(CountText.of(images.count, "image"), "first at \(times[first]) s")
      }
    }
    return [
      note(track.doubts) {
        "someone else was close enough to be mistaken for this person in \($0), \($1)"
      },
      note(track.jumps) {
        "the person jumps by more than a quarter of the body's size before \($0), \($1): from then "
          + "on, it may be someone else"
      },
      note(track.returns) {
        "the person was lost for more than half a second before \($0), \($1), and the next person "
          + "seen is assumed to be the same"
      }, note(bystanders.overlapping) { "someone else overlaps this person in \($0), \($1)" },
      note(bystanders.crowded) {
        "\(Bystanders.crowd) or more people are in \($0), \($1): Vision is inaccurate in crowds"
      },
    ].compactMap(\.self)
  }
}
