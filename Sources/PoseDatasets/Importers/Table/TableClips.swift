import PoseModel
import PoseRecording

struct TableClips {
  private struct Image {
    let frame: MappedFrame
    var people: [MappedFrame] = []
    /// Where people are in the image, from the map's list `place`; empty if the map has none.
    var places: [[Joint: SIMD2<Double>]] = []
    var ids: [String?] = []
    let outline: [Double]

    var hasPose: Bool { !frame.isEmpty || people.contains { !$0.isEmpty } }
    var hasPlaces: Bool { zip(people, places).allSatisfy { $0.isEmpty || !$1.isEmpty } }
  }

  static let mostPeople = 100

  private let table: PoseTable
  var options: TableOptions
  private let joints: [Joint]
  private let images: [Image]
  private let places: [Int]
  let repeated: Int
  private let times: [Double]?
  private var confidenceNote: String?
  private let parts: [Range<Int>]
  private let wrap: ClockWrap?
  let stretches: ClockStretches

  init(_ table: PoseTable, options: TableOptions) throws {
    var map = options.map
    guard !map.needsImageSize || map.imageSize != nil else {
      throw PoseSourceError.invalidOption(
        "the size of the images", found: "nothing",
        allowed: "`image_size` in the map, or --image-size WIDTHxHEIGHT, such as 1920x1080 for a "
          + "landscape video; without it, the body's proportions are unknown")
    }
    var reader = FrameReader(map: map, joints: map.mappedJoints)
    var images = try Self.images(table, map, &reader)
    if let range = reader.confidences, range.lowerBound == range.upperBound, reader.dropped > 0 {
      confidenceNote = "the confidence is \(range.lowerBound) everywhere, so it is not used"
      map.confidence = nil
      reader = FrameReader(map: map, joints: map.mappedJoints)
      images = try Self.images(table, map, &reader)
    }
    self.table = table
    wrap = reader.wrap
    self.options = options
    self.options.map = map
    joints = map.mappedJoints
    var times = images.map(\.frame.time).filledBetweenNeighbors
    let kept = map.time.source == nil ? Array(images.indices) : Self.kept(images, times)
    places = kept
    repeated = images.count - kept.count
    if repeated > 0 { (images, times) = (kept.map { images[$0] }, kept.map { times[$0] }) }
    self.images = images
    self.times = map.time.source == nil ? nil : times
    parts = table.parts.map { part in
      func place(_ frame: Int) -> Int { kept.firstIndex { $0 >= frame } ?? kept.count }
      return place(part.frames.lowerBound)..<place(part.frames.upperBound)
    }
    let source = map.time.source
    stretches = ClockStretches(
      ranges: try parts.flatMap { part in
        guard let source else { return [part] }
        return try ClockStretches(Array(times[part]), source: source) {
          table.place(kept[part.lowerBound + $0]).description
        }.ranges.map { $0.lowerBound + part.lowerBound..<$0.upperBound + part.lowerBound }
      })
  }

  mutating func take(_ new: TableOptions) {
    options = new
    if confidenceNote != nil { options.map.confidence = nil }
  }

  private static func kept(_ images: [Image], _ times: [Double]) -> [Int] {
    let all = Array(images.indices)
    let isRepeated = all.map { $0 > 0 && times[$0] == times[$0 - 1] }
    guard isRepeated.contains(true) else { return all }
    let kept = all.filter { index in
      guard isRepeated[index] else { return true }
      let (one, last) = (images[index], images[index - 1])
      return !one.frame.repeats(last.frame) || one.people.count != last.people.count
        || !zip(one.people, last.people).allSatisfy { $0.repeats($1) }
    }
    return zip(kept.dropFirst(), kept).allSatisfy { times[$0] != times[$1] } ? kept : all
  }

  private static func images(
    _ table: PoseTable, _ map: TableMap, _ reader: inout FrameReader
  ) throws -> [Image] {
    var people = PeopleReader(map)
    var fields = placeFields(map)
    var images: [Image] = []
    images.reserveCapacity(table.count)
    for index in 0..<table.count {
      let (node, place) = (try table.frame(index), table.place(index))
      guard let split = people?.split(node) else {
        let frame = try reader.frame(node, at: place)
        images.append(Image(frame: frame, outline: map.cut?.numbers(of: node) ?? []))
        continue
      }
      guard split.people.count <= mostPeople else {
        throw place.unexpected(
          "`\(map.people?.list.text ?? "")`", "a list of \(split.people.count)",
          "the people of one frame, at most \(mostPeople)")
      }
      var found: [MappedFrame] = []
      var places: [[Joint: SIMD2<Double>]] = []
      for one in split.people {
        found.append(try reader.frame(one.frame, at: place))
        var points: [Joint: SIMD2<Double>] = [:]
        for joint in fields.keys { points[joint] = fields[joint]?.field(of: one.frame)?.imagePoint }
        places.append(points)
      }
      var frame = try reader.frame(split.nobody, at: place)
      // The time may be a field of each person.
      if frame.time.isNaN, let first = found.first { frame.time = first.time }
      images.append(
        Image(
          frame: frame, people: found, places: places, ids: split.people.map(\.id),
          outline: map.cut?.numbers(of: node) ?? []))
    }
    return images
  }

  private static func placeFields(_ map: TableMap) -> [Joint: FieldReader] {
    guard let people = map.people, let place = people.place else { return [:] }
    return map.joints.compactMapValues { joint in
      guard let path = joint.pointPath, path.steps.starts(with: people.list.steps) else {
        return nil
      }
      return FieldReader(FieldPath(place.steps + path.steps.dropFirst(people.list.steps.count)))
    }
  }

  var repeats: (longest: Int, median: Double) {
    var lengths: [Int] = []
    let frames = images.map { $0.people.first ?? $0.frame }
    for (index, frame) in frames.enumerated() where !frame.isEmpty {
      if index > 0, frame.hasSamePositions(as: frames[index - 1]), !lengths.isEmpty {
        lengths[lengths.count - 1] += 1
      } else {
        lengths.append(1)
      }
    }
    return (lengths.max() ?? 0, lengths.map(Double.init).median ?? 0)
  }

  var repeatedText: String {
    "\(CountText.of(repeated, "frame")) with the time and the pose of the frame before"
  }

  func sequences(name: String) throws -> [ImportedSequence] {
    if let cut = options.map.cut, cut.fields.isEmpty, options.map.people != nil {
      throw PoseSourceError.invalidOption(
        "the cut", found: "\(cut.step) for a file with people",
        allowed:
          "the fields whose steps show it, as in `cut: {step: 0.02, fields: [\"*_x\"]}` in a map, "
          + "because people are not tracked yet")
    }
    let pieces = try chosenPieces()
    let depth = try depthFactor()
    var options = options
    if areBodies { options.person = nil }
    if isCut, images.contains(where: \.hasPose) { options.acceptsNobody = true }
    var sequences: [ImportedSequence] = []
    for (number, range) in pieces.enumerated() {
      let own =
        pieces.count > 1 || isCut ? "\(name)-\(numberText(number + 1, of: pieces.count))" : name
      let people = self.people(in: range)
      for (person, frames) in try people.chosen(options).enumerated() {
        let isNumbered = options.isEveryone && people.tracks.count > 1
        let clip = TableClip(
          table, options: options,
          frames.map { frame(range.lowerBound + $0.key, $0.value, depth: depth) },
          at: Array(places[range]), notes: notes(range) + people.notes(options, person))
        var sequence = try clip.sequence(name: isNumbered ? "\(own)-\(person + 1)" : own)
        sequence.startsMid = isCut
        sequence.tags["source"] = isCut ? name : sequence.tags["source"]
        if isNumbered { sequence.tags["person"] = "\(person + 1)" }
        sequences.append(sequence)
      }
    }
    return sequences
  }

  private var areBodies: Bool {
    parts.count > 1 && table.layout.recordings.map(RecordingSearch.isOfBodies) ?? false
  }

  private func chosenPieces() throws -> [Range<Int>] {
    guard areBodies, !options.isEveryone else { return pieces }
    let people = parts.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    let number = options.person ?? 1
    guard people.indices.contains(number - 1) else {
      throw PoseSourceError.invalidOption(
        "--person", found: "\(number)",
        allowed: "1 to \(people.count), the one with the most frames first")
    }
    let part = people[number - 1].element
    return pieces.filter { part.contains($0.lowerBound) }
  }

  private var isCut: Bool { options.map.isStills || options.map.cut != nil }

  private var pieces: [Range<Int>] {
    if options.map.isStills { return images.indices.map { $0..<$0 + 1 } }
    guard let limit = options.map.cut?.step else { return stretches.ranges }
    let steps = self.steps
    return stretches.ranges.flatMap { range in
      let starts = range.filter { $0 == range.lowerBound || steps[$0].map { $0 > limit } ?? false }
      return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
    }
  }

  /// The median step of each image's numbers from the images before; nil without a comparison.
  ///
  /// Each number is compared with its last known value, so a missing value does not hide a jump.
  private var steps: [Double?] {
    let isStretched = options.map.skeleton.dimension == 3 && options.map.units == .image
    let width = isStretched ? aspect : 1
    let isNamed = options.map.cut?.fields.isEmpty == false
    var last: [Double] = []
    return images.map { image in
      let numbers =
        isNamed ? image.outline : image.frame.positions.flatMap { [$0.x / width, $0.y] }
      last += Array(repeating: .nan, count: max(0, numbers.count - last.count))
      var steps: [Double] = []
      for (slot, number) in numbers.enumerated() where number.isFinite {
        if last[slot].isFinite { steps.append((number - last[slot]).magnitude) }
        last[slot] = number
      }
      return steps.median
    }
  }

  private var aspect: Double {
    options.map.imageSize.map { Double($0.width) / Double($0.height) } ?? 1
  }

  private func numberText(_ number: Int, of count: Int) -> String {
    let digits = isCut ? max(3, String(count).count) : 1
    return String(repeating: "0", count: max(0, digits - String(number).count)) + "\(number)"
  }

  private func notes(_ range: Range<Int>) -> [String] {
    var notes = [confidenceNote].compactMap(\.self)
    if let wrap { notes.append("the clock starts again \(wrap.name); later times continue") }
    if repeated > 0 { notes.append(repeatedText + ": left out") }
    if let place = parts.firstIndex(where: { $0.contains(range.lowerBound) }), parts.count > 1 {
      notes.append(
        "`\(table.layout.recordings?.text ?? "")` is \(table.parts[place].key.prefix(60)), "
          + "\(place + 1) of \(parts.count) in the file")
    } else if stretches.ranges.count > 1, !isCut {
      notes.append(
        "frames \(range.lowerBound) to \(range.upperBound - 1): the clock restarts "
          + "\(CountText.of(stretches.ranges.count - 1, "time")), and each stretch is a recording")
    }
    notes += table.remarks.filter(\.isNoted).map(\.finding)
    if isCut { notes.append("cut from frame \(range.lowerBound) on") }
    return notes
  }

  private func depthFactor() throws -> Double {
    let bodies = images.lazy.flatMap { $0.people.isEmpty ? [$0.frame] : $0.people }
      .map { BodyPose(limbs: $0.positions(of: joints)) }
    guard let factor = options.map.depth.factor(of: bodies) else {
      throw PoseSourceError.invalidOption(
        "the depth", found: "anatomical",
        allowed: "a number, because no body in \(table.file) shows the width of its shoulders or "
          + "hips in depth")
    }
    return factor
  }

  private func frame(_ index: Int, _ person: Int?, depth: Double) -> MappedFrame {
    var frame = images[index].frame
    if options.map.people != nil, let person { frame = images[index].people[person] }
    if let times { frame.time = times[index] }
    if depth != 1 {
      for slot in frame.positions.indices { frame.positions[slot].z *= depth }
    }
    return frame
  }

  func people(in range: Range<Int>) -> FollowedPeople {
    let images = images[range]
    guard options.map.people != nil, images.contains(where: { $0.people.count > 1 }) else {
      return FollowedPeople(numbers: images.map { $0.people.isEmpty ? nil : 0 })
    }
    let hasPlaces = options.map.people?.place != nil && images.allSatisfy(\.hasPlaces)
    let isFlat = options.map.skeleton.dimension == 2
    var people: [[ImagePerson]] = []
    var ids: [[String?]] = []
    var numbers: [[Int]] = []
    for image in images {
      let seen = image.people.indices.filter { !image.people[$0].isEmpty }
      numbers.append(seen)
      ids.append(seen.map { image.ids[$0] })
      people.append(
        seen.map {
          hasPlaces
            ? ImagePerson(positions: image.places[$0], confidences: [:])
            : ImagePerson(positions: positions(image.people[$0]))
        })
    }
    let times =
      times?[range] ?? images.indices.map { Double($0) / (options.map.time.rate ?? 30) }[...]
    return FollowedPeople(
      people, ids: ids, numbers: numbers, times: Array(times),
      way: hasPlaces ? .place : isFlat || !isCentered(images) ? .points : .shape)
  }

  private func positions(_ frame: MappedFrame) -> [Joint: SIMD3<Double>] {
    let isShare = options.map.skeleton == .vision2d
    let aspect = aspect
    return frame.positions(of: joints).mapValues {
      SIMD3(isShare ? $0.x * aspect : $0.x, $0.y, $0.z)
    }
  }

  /// Whether each body is its own origin: the midpoint between its hips is always near 0.
  private func isCentered(_ images: ArraySlice<Image>) -> Bool {
    let hips = [joints.firstIndex(of: .leftHip), joints.firstIndex(of: .rightHip)]
    guard let left = hips[0], let right = hips[1] else { return false }
    let bodies = images.lazy.flatMap(\.people).filter {
      $0.positions[left].isFinite && $0.positions[right].isFinite
    }
    return bodies.allSatisfy { body in
      let middle = body.positions[left].midpoint(body.positions[right])
      let size = body.positions.filter(\.isFinite).map { ($0 - middle).norm }.max() ?? 0
      return middle.norm <= 0.05 * size
    }
  }
}

extension JSONNode {
  fileprivate var imagePoint: SIMD2<Double>? {
    guard let x = (self["x"] ?? element(0))?.number, let y = (self["y"] ?? element(1))?.number,
      x.isFinite, y.isFinite
    else { return nil }
    return SIMD2(x, y)
  }
}

extension TableMap {
  func readsFrames(like other: TableMap) -> Bool {
    var own = self
    (own.orientation, own.cameraPosition) = (other.orientation, other.cameraPosition)
    (own.buffer, own.isMirrored) = (other.buffer, other.isMirrored)
    (own.bodyHeight, own.depth, own.isStills) = (other.bodyHeight, other.depth, other.isStills)
    // If the named fields change, frames must be read again.
    if [cut, other.cut].allSatisfy({ $0?.fields.isEmpty ?? true }) { own.cut = other.cut }
    if time.source == nil { own.time.rate = other.time.rate }
    return own == other
  }

  var mappedJoints: [Joint] { skeleton.joints.filter { joints[$0] != nil } }
}

/// The ranges of frames in which a clock runs without a restart: several if an app appended its
/// sessions.
struct ClockStretches {
  let ranges: [Range<Int>]

  private static let fewestFrames = 10
  /// A step back of up to this many median steps is an error in a few frames, not a restart.
  private static let smallStep = 5.0

  init(ranges: [Range<Int>]) { self.ranges = ranges }

  init(_ times: [Double], source: String, place: (Int) -> String) throws {
    let origin = times.first ?? 0
    let rounded = times.map { roundedToMicroseconds($0 - origin) }
    let breaks = times.indices.dropFirst().filter { !(rounded[$0] > rounded[$0 - 1]) }
    ranges = zip([0] + breaks, breaks + [times.count]).map { $0..<$1 }
    let oddity = ClockOddity(times)
    guard let first = breaks.first ?? oddity?.frame else { return }
    let steps = times.steps.filter { $0 > 0 }
    let step = steps.median ?? 0
    func refuse(_ index: Int, _ what: String) -> PoseSourceError {
      .unexpectedValue(
        file: place(index), path: source,
        found: "\(times[index]) s in frame \(index) after \(times[index - 1]) s in frame "
          + "\(index - 1): \(what)", allowed: "times that increase from frame to frame")
    }
    if let oddity { throw refuse(oddity.frame, oddity.found) }
    for index in breaks {
      let back = times[index - 1] - times[index]
      if rounded[index] == rounded[index - 1] {
        throw refuse(index, "it looks like a repeated frame")
      }
      if back <= Self.smallStep * step {
        let isExchange = index + 1 == times.count || times[index + 1] > times[index - 1]
        throw refuse(
          index,
          isExchange ? "it looks like two swapped frames" : "it looks like frames saved twice")
      }
    }
    if ranges.contains(where: { $0.count < Self.fewestFrames }) {
      throw refuse(first, "the clock goes back \(CountText.of(breaks.count, "time"))")
    }
    for (before, next) in zip(ranges, ranges.dropFirst())
    where times[next.upperBound - 1] < times[before.lowerBound] {
      throw refuse(
        next.lowerBound,
        "frames \(next.lowerBound) to \(next.upperBound - 1) are earlier than all \(before.count) "
          + "before them, as if parts were in the wrong order")
    }
  }
}
