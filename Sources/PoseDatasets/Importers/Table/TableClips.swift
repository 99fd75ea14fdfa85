import PoseModel
import PoseRecording

/// The recordings in a table: one for every stretch of its clock and every person that is chosen.
struct TableClips {
  private struct Image {
    /// What the frame says besides people.
    let frame: MappedFrame
    let people: [MappedFrame]
    /// The points of people in the image, if the map has a list of them.
    let places: [[Joint: SIMD2<Double>]]
    let ids: [String?]
    /// The numbers by whose steps the file is cut, if the map names them.
    let outline: [Double]

    var hasPlaces: Bool { zip(people, places).allSatisfy { $0.isEmpty || !$1.isEmpty } }
  }

  static let mostPeople = 100

  private let table: PoseTable
  var options: TableOptions
  private let joints: [Joint]
  private let images: [Image]
  /// Where the images are in the table.
  private let places: [Int]
  /// How many frames repeat the time and the pose of the one before.
  let repeated: Int
  /// Those of the frames; nil where the map has a rate only.
  private let times: [Double]?
  private var confidenceNote: String?
  let stretches: ClockStretches

  init(_ table: PoseTable, options: TableOptions) throws {
    var map = options.map
    guard !map.needsImageSize || map.imageSize != nil else {
      throw PoseSourceError.invalidOption(
        "the size of the images", found: "nothing",
        allowed: "`image_size` in the map, or --image-size, as WIDTHxHEIGHT such as 1920x1080 for "
          + "a landscape video: points of an image have no shape without it")
    }
    var reader = FrameReader(map: map, joints: map.mappedJoints)
    var images = try Self.images(table, map, &reader)
    if let range = reader.confidences, range.lowerBound == range.upperBound, reader.dropped > 0 {
      confidenceNote =
        "the confidence is \(range.lowerBound) everywhere: it says nothing and is not used"
      map.confidence = nil
      reader = FrameReader(map: map, joints: map.mappedJoints)
      images = try Self.images(table, map, &reader)
    }
    self.table = table
    var options = options
    options.map = map
    self.options = options
    joints = map.mappedJoints
    var times = images.map(\.frame.time).filledBetweenNeighbors
    let kept = map.time.source == nil ? Array(images.indices) : Self.kept(images, times)
    places = kept
    repeated = images.count - kept.count
    if repeated > 0 { (images, times) = (kept.map { images[$0] }, kept.map { times[$0] }) }
    self.images = images
    self.times = map.time.source == nil ? nil : times
    stretches =
      try map.time.source.map { source in
        try ClockStretches(times, source: source) { table.place(kept[$0]).description }
      } ?? ClockStretches(count: images.count)
  }

  /// Other options with a map that reads the same frames.
  mutating func take(_ new: TableOptions) {
    options = new
    if confidenceNote != nil { options.map.confidence = nil }
  }

  /// All images but those that repeat the one before, if times grow without them.
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
        let frame = try reader.frame(node, number: index, at: place)
        images.append(
          Image(
            frame: frame, people: [], places: [], ids: [], outline: map.cut?.numbers(of: node) ?? []
          ))
        continue
      }
      guard split.people.count <= mostPeople else {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "`\(map.people?.list.text ?? "")`",
          found: "a list of \(split.people.count)",
          allowed: "the people of one frame, at most \(mostPeople)")
      }
      var found: [MappedFrame] = []
      var places: [[Joint: SIMD2<Double>]] = []
      for one in split.people {
        found.append(try reader.frame(one.frame, number: index, at: place))
        var points: [Joint: SIMD2<Double>] = [:]
        for joint in fields.keys {
          points[joint] = fields[joint]?.field(of: one.frame)?.imagePoint
        }
        places.append(points)
      }
      var frame = try reader.frame(split.nobody, number: index, at: place)
      // People may have the time.
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
    return map.joints.compactMapValues { path in
      guard case .point(let path) = path, path.steps.starts(with: people.list.steps) else {
        return nil
      }
      return FieldReader(FieldPath(place.steps + path.steps.dropFirst(people.list.steps.count)))
    }
  }

  /// The longest stretch of frames whose poses are exactly the same, and the median stretch.
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
    let pieces = pieces
    let depth = try depthFactor()
    var options = options
    options.acceptsNobody =
      options.acceptsNobody
      || pieces.count > 1
        && images.contains { image in
          !image.frame.isEmpty || image.people.contains { !$0.isEmpty }
        }
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

  private var isCut: Bool { options.map.isStills || options.map.cut != nil }

  /// The ranges of frames that are recordings, in order.
  private var pieces: [Range<Int>] {
    if options.map.isStills { return images.indices.map { $0..<$0 + 1 } }
    guard let limit = options.map.cut?.step else { return stretches.ranges }
    let steps = self.steps
    return stretches.ranges.flatMap { range in
      let starts = range.filter { $0 == range.lowerBound || steps[$0].map { $0 > limit } ?? false }
      return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
    }
  }

  /// The median step over all numbers, each compared with its last one, so that a missing value
  /// hides no jump; nil where nothing can be compared.
  private var steps: [Double?] {
    let isStretched = options.map.skeleton.dimension == 3 && options.map.units == .image
    let width = isStretched ? aspect : 1
    var last: [Double] = []
    return images.map { image in
      let isNamed = options.map.cut?.fields.isEmpty == false
      let numbers =
        isNamed
        ? image.outline : image.frame.positions.flatMap { [$0.x / width, $0.y] }
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
    if repeated > 0 { notes.append(repeatedText + ": left out") }
    if stretches.ranges.count > 1, !isCut {
      notes.append(
        "frames \(range.lowerBound) to \(range.upperBound - 1): the clock starts again "
          + "\(CountText.of(stretches.ranges.count - 1, "time")), and each stretch is a recording")
    }
    if isCut { notes.append("cut from frame \(range.lowerBound) on") }
    return notes
  }

  private func depthFactor() throws -> Double {
    let bodies = images.lazy.flatMap { $0.people.isEmpty ? [$0.frame] : $0.people }
      .map { BodyPose(limbs: $0.positions(of: joints)) }
    guard let factor = options.map.depth.factor(of: bodies) else {
      throw PoseSourceError.invalidOption(
        "the depth", found: "anatomical",
        allowed: "a number for \(table.file), in which no "
          + "body shows the width of its shoulders or hips in depth")
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

  /// Whether every body has its own origin: the middle of the hips never moves.
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
    let x: Double?
    let y: Double?
    if case .object = content {
      (x, y) = (self["x"]?.number, self["y"]?.number)
    } else {
      (x, y) = (element(0)?.number, element(1)?.number)
    }
    guard let x, let y, x.isFinite, y.isFinite else { return nil }
    return SIMD2(x, y)
  }
}

extension TableMap {
  /// Whether another map differs at most in what is said of all frames together.
  func readsFrames(like other: TableMap) -> Bool {
    var own = self
    (own.orientation, own.cameraPosition) = (other.orientation, other.cameraPosition)
    (own.buffer, own.isMirrored) = (other.buffer, other.isMirrored)
    own.bodyHeight = other.bodyHeight
    if time.source == nil { own.time.rate = other.time.rate }
    return own == other
  }

  var mappedJoints: [Joint] { skeleton.joints.filter { joints[$0] != nil } }
}
