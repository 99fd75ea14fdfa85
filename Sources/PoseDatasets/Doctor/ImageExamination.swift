import PoseModel
import PoseRecording

extension TableExamination {
  /// Returns the axes of an image with a known up direction.
  ///
  /// `isDown` tells whether the file's y pointed down before any rotation of the image.
  static func imageAxes(up: TableMap.Axis, isDown: Bool) -> [TableMap.Axis] {
    let (x, y) = (TableMap.Axis(0), TableMap.Axis(1))
    if up.index == 1 { return [x, up] }
    return [up.isNegative == isDown ? y.opposite : y, up]
  }

  private static let rowFirst = [TableMap.Axis(1), TableMap.Axis(0, isNegative: true)]

  mutating func examineImagePoints(_ signs: BodySigns, isMediaPipe: Bool) {
    if builtIn?.units ?? .pixels == .pixels { map.units = signs.largest <= 2 ? .image : .pixels }
    guard !blockCrops(signs), !blockCentered(signs) else { return }
    let fit = SizeFit(signs, map)
    let points = fit.isExchanged ? fit.exchanged : fit.given
    let y = TableMap.Axis(1)
    let isDown = map.units == .pixels || isMediaPipe
    let upright = UprightSigns(points, among: Array(TableMap.Axis.everyDirection.prefix(4)))
    let usual = isDown ? [y.opposite] : [y.opposite, y]
    if let choice = UprightChoice(upright, usual: usual, convention: isDown ? y.opposite : nil) {
      if let builtIn {
        map.axes = builtIn.axes
        concludeKnown(builtIn.axes[1], choice)
      } else if fit.isExchanged, !choice.isSure, choice.best.axis.index == 1, areBareShares {
        concludeRowFirst(fit)
      } else {
        concludeImageUp(choice, fit)
      }
      if !map.isRowFirst, choice.best.axis.index == 1 || builtIn != nil { warnOfExchange(fit) }
    }
    guard !blockSizeChange() else { return }
    examineImageSize(signs)
    concludeImageUnits(signs)
    if let size = map.imageSize {
      diagnosis.conclude(
        "image", "\(size.width) x \(size.height) pixels", .sure, "the file or --image-size says so")
    } else {
      diagnosis.block(
        "the file does not give the size of the images, so the body's proportions are unknown",
        "give the size of the images in which points were detected, \(sizeExample(signs))")
    }
  }

  /// Decides whether an image was rotated or its points are stored as row and column.
  ///
  /// The first number runs along the height in both cases. With fractions of the image, the two
  /// cases give bodies of different shapes; with pixels, they are mirror images of each other.
  private mutating func concludeImageUp(_ choice: UprightChoice, _ fit: SizeFit) {
    let up = choice.best.axis
    guard up.index == 0 else {
      map.axes = Self.imageAxes(up: up, isDown: up.isNegative)
      return concludeUp(up.isNegative ? "y points down" : "y points up", choice) {
        Self.imageAxes(up: $0, isDown: true)
      }
    }
    let turned = Self.imageAxes(up: up, isDown: true)
    guard up.isNegative else {
      map.axes = turned
      return concludeUp("the file's \(up.text): the images are rotated by a quarter turn", choice) {
        Self.imageAxes(up: $0, isDown: true)
      }
    }
    let isScored = map.confidence != nil && map.units == .image
    let isRowFirst = fit.isExchanged || (isScored && !fit.isGiven)
    map.axes = isRowFirst ? Self.rowFirst : turned
    let words = (
      "points are row and column, as in MoveNet",
      "images that are rotated by a quarter turn"
    )
    let other = isRowFirst ? (words.1, turned) : (words.0, Self.rowFirst)
    diagnosis.conclude(
      "up", "the file's -x: " + (isRowFirst ? words.0 : "the images are rotated by a quarter turn"),
      .unsure, choice.evidence + (fit.evidence.map { "; " + $0 } ?? ""),
      alternatives: ["\(other.0): \(axesText(other.1))"]
        + choice.others.map {
          "\($0.axis.text): \(axesText(Self.imageAxes(up: $0.axis, isDown: true)))"
        })
    diagnosis.warn(
      "the first number of points runs along the height: "
        + (isRowFirst ? words.0 : "the images are rotated by a quarter turn") + " is assumed",
      "for \(other.0), write \(axesText(other.1)) in the map; the choice affects left and right")
  }

  /// Whether points are COCO's, in lists of fractions without names, as MoveNet gives them.
  ///
  /// Other detectors of these joints give pixels.
  private var areBareShares: Bool {
    guard map.skeleton == .coco17, map.units == .image else { return false }
    return map.joints.values.allSatisfy { place in
      switch place {
      case .point(let path): path.nodes(in: samples).allSatisfy { $0.elements != nil || $0.isEmpty }
      case .fields(let paths):
        paths.allSatisfy { if case .element? = $0.steps.last { true } else { false } }
      }
    }
  }

  private mutating func concludeRowFirst(_ fit: SizeFit) {
    map.axes = Self.rowFirst
    let size = map.imageSize.map { "--image-size \($0.height)x\($0.width)" } ?? "--image-size"
    diagnosis.conclude(
      "up", "the file's -x: points are row and column, as in MoveNet", .unsure,
      "bodies fit the images if the first number runs along the height"
        + (fit.evidence.map { "; " + $0 } ?? ""),
      alternatives: ["width and height of the images swapped: \(size)"])
    diagnosis.warn(
      "points as row and column, as in MoveNet, are assumed, because bodies then fit the images",
      "if width and height of the images are swapped, give \(size)")
  }

  private mutating func warnOfExchange(_ fit: SizeFit) {
    guard fit.isExchanged, let size = map.imageSize, let evidence = fit.evidence else { return }
    diagnosis.conclude(
      "proportions", "bodies do not fit images of \(size.width) x \(size.height)", .unsure,
      evidence,
      alternatives: ["width and height swapped: --image-size \(size.height)x\(size.width)"]
        + (builtIn == nil
          ? ["points are row and column, as in MoveNet: \(axesText(Self.rowFirst))"] : []))
    diagnosis.warn(
      "bodies look stretched in images of \(size.width) x \(size.height): \(evidence)",
      "if the images are \(size.height) pixels wide, give --image-size "
        + "\(size.height)x\(size.width)")
  }

  private func sizeExample(_ signs: BodySigns) -> String {
    let points = signs.frames.flatMap(\.values)
    let (x, y) = (points.map(\.x).max() ?? 0, points.map(\.y).max() ?? 0)
    let sizes = [(640, 480), (1280, 720), (1920, 1080), (3840, 2160)]
    if map.units == .pixels, let (long, short) = sizes.first(where: { max(x, y) <= Double($0.0) }) {
      let isLandscape = x > Double(short) && y <= Double(short)
      let isPortrait = y > Double(short) && x <= Double(short)
      let reach = "points reach \(Self.short(x)) across and \(Self.short(y)) down"
      if isLandscape { return "such as --image-size \(long)x\(short); " + reach }
      if isPortrait { return "such as --image-size \(short)x\(long); " + reach }
    }
    return "as --image-size WIDTHxHEIGHT, such as 1920x1080 for a landscape video"
  }

  private mutating func examineImageSize(_ signs: BodySigns) {
    guard map.units == .pixels, var size = map.imageSize else { return }
    if map.isRowFirst { size = ImageSize(width: size.height, height: size.width) }
    let points = signs.frames.flatMap(\.values)
    func outside(_ width: Int, _ height: Int) -> Int {
      points.count { $0.x > 1.02 * Double(width) || $0.y > 1.02 * Double(height) }
    }
    let own = outside(size.width, size.height)
    let exchanged = outside(size.height, size.width)
    guard own * 20 > points.count else { return }
    let x = points.map(\.x).max() ?? 0
    let y = points.map(\.y).max() ?? 0
    diagnosis.warn(
      "\(CountText.of(own, "point")) of \(CountText.of(points.count, "point")) lie outside images "
        + "of \(size.width) x \(size.height): x goes up to \(Self.short(x)), y to \(Self.short(y))",
      exchanged * 4 < own
        ? "if width and height are swapped, give --image-size \(size.height)x\(size.width); if y comes "
          + "before x, write \(axesText(Self.rowFirst)) in the map"
        : "give the size of the images in which the points were found as --image-size")
  }

  private mutating func blockCentered(_ signs: BodySigns) -> Bool {
    let hips = signs.frames.compactMap { BodyPose(limbs: $0).positions[.root] }
    let outside = hips.count { $0.isFinite && min($0.x, $0.y) < 0 }
    let atOrigin = hips.count { $0.norm < 0.001 * signs.largest }
    let most = max(outside, atOrigin)
    guard hips.count >= BodySurvey.fewestPoses, most * 5 > hips.count else { return false }
    let areNameless = map.joints.values.contains {
      $0.paths.first?.steps.first.map { $0.name == nil } ?? false
    }
    diagnosis.block(
      "in \(CountText.of(most, "frame")) of \(hips.count) looked at, the hips are "
        + (atOrigin == most ? "at 0, 0" : "left of or above 0")
        + ", so points are neither pixels nor shares of the image",
      areNameless
        ? "these numbers have no names, so they may be other joints or positions in space; save names "
          + "with them, as pandas does with to_json(orient='records')"
        : "save points in pixels or as shares from 0 to 1; if they go from -1 to 1 across the image, "
          + "shares are (x + 1) / 2 and (y + 1) / 2")
    return true
  }

  /// Refuses fractions of the person's own box: points that span 0 to 1 or stay centered on 0.5.
  private mutating func blockCrops(_ signs: BodySigns) -> Bool {
    guard map.units == .image, builtIn == nil else { return false }
    let boxes = signs.frames.filter { $0.count > 5 }.map { frame -> (low: Vector3, high: Vector3) in
      let (x, y) = (frame.values.map(\.x), frame.values.map(\.y))
      return (Vector3(x.min() ?? 0, y.min() ?? 0, 0), Vector3(x.max() ?? 0, y.max() ?? 0, 0))
    }
    guard boxes.count >= BodySurvey.fewestPoses else { return false }
    let full = boxes.count { box in
      [box.low.x, box.low.y, 1 - box.high.x, 1 - box.high.y].allSatisfy { $0.magnitude < 0.005 }
    }
    let trunks = signs.frames.compactMap { frame -> Vector3? in
      let body = BodyPose(limbs: frame).positions
      guard let shoulders = body[.centerShoulder], let hips = body[.root], shoulders != hips else {
        return nil
      }
      return (shoulders - hips) / (shoulders - hips).norm
    }
    let moves = trunks.reduce(Vector3(0, 0, 0), +).norm < 0.95 * Double(trunks.count)
    let centered = boxes.count { box in
      let middle = box.low.midpoint(box.high) - Vector3(0.5, 0.5, 0)
      return max(middle.x.magnitude, middle.y.magnitude) < (moves ? 0.01 : 0.001)
    }
    let share = max(full, centered) * 100 / boxes.count
    guard share >= 50 else { return false }
    diagnosis.block(
      "in \(share) % of the frames the body "
        + (full >= centered ? "fills 0 to 1 exactly" : "has its middle at 0.5, 0.5 exactly")
        + ": coordinates are shares of the person's own box, whose shape changes with the body",
      "save points in pixels or shares of the whole image: multiply them by the box's width and "
        + "height, and add its corner")
    return true
  }
}

private struct SizeFit {
  let given: BodySigns
  let exchanged: BodySigns
  private(set) var isExchanged = false
  private(set) var isGiven = false
  private(set) var evidence: String?

  init(_ signs: BodySigns, _ map: TableMap) {
    guard map.units == .image, let size = map.imageSize, size.width != size.height else {
      (given, exchanged) = (signs, signs)
      return
    }
    given = signs.scaled(Double(size.width), Double(size.height))
    exchanged = signs.scaled(Double(size.height), Double(size.width))
    guard let own = given.boneVariation, let other = exchanged.boneVariation else { return }
    isExchanged = exchanged.fitsClearlyBetter(than: given)
    isGiven = given.fitsClearlyBetter(than: exchanged)
    evidence =
      "bone lengths vary by \(TableExamination.percent(own)) with the size as given and by "
      + "\(TableExamination.percent(other)) with width and height swapped"
  }
}

extension TableExamination {
  mutating func examineMirror() {
    let said = facts.compactMap { fact in isMirrored(fact).map { (fact, $0) } }
    let oriented = facts.compactMap { fact in orientation(fact).map { (fact, $0) } }
    // An explicit flag outweighs an orientation.
    guard let (fact, isMirrored) = said.first ?? oriented.first(where: \.1) ?? oriented.first else {
      return diagnosis.conclude(
        "mirrored", "assumed not", .unsure,
        "the data cannot show this, because a mirrored person looks like any other person",
        alternatives: ["--mirrored, if your app flips the front camera's image before detection"])
    }
    map.isMirrored = isMirrored
    diagnosis.conclude(
      "mirrored", isMirrored ? "yes: left and right are swapped back" : "no", .likely,
      "`\(fact.path.text)` is \(fact.node.text ?? "")",
      alternatives: isMirrored ? ["--no-mirrored"] : ["--mirrored"])
  }

  /// Says that points may be those of the image before it was rotated.
  mutating func examineRotation() {
    guard map.skeleton.dimension == 2, !diagnosis.problems.contains(where: \.isBlocking),
      let fact = facts.first(where: { fact in
        ["rotation", "rotationdegrees", "videorotation", "rotationangle"].contains(fact.name)
          && [90, 180, 270, -90].contains(fact.node.number)
      })
    else { return }
    let (x, y) = (TableMap.Axis(0), TableMap.Axis(1))
    let turned = fact.node.number == 180 ? [y] : [x.opposite, x]
    diagnosis.conclude(
      "rotation", "assumed to be applied before detection", .unsure,
      "`\(fact.path.text)` is \(fact.node.text ?? "")",
      alternatives: turned.map { axesText(Self.imageAxes(up: $0, isDown: true)) })
  }

  private func isMirrored(_ fact: Fact) -> Bool? {
    guard fact.name.contains("mirror") || fact.name.contains("flip"),
      !fact.name.contains("vert"), !fact.name.hasSuffix("y")
    else { return nil }
    let meanings = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
    return meanings[fact.node.text?.lowercased() ?? ""]
  }

  /// Whether an orientation is mirrored, as EXIF's 2, 4, 5 and 7 are; nil if the field does not
  /// say.
  ///
  /// The orientation of a device uses other numbers and says nothing about mirroring.
  private func orientation(_ fact: Fact) -> Bool? {
    guard fact.name.contains("orientation"), !fact.name.contains("device"),
      !fact.name.contains("interface")
    else { return nil }
    if let number = fact.node.number {
      return (1...8).contains(number) && number == number.rounded()
        ? [2, 4, 5, 7].contains(number) : nil
    }
    let word = (fact.node.text ?? "").lowercased().filter(\.isLetter)
    let directions = ["up", "down", "left", "right"]
    if directions.contains(where: { word.hasSuffix($0 + "mirrored") }) { return true }
    return directions.contains(word) ? false : nil
  }
}

struct ImageRows {
  private static let imageNames = [
    "image_id", "image", "imageid", "image_name", "img", "img_id", "img_name", "file", "file_name",
    "filename", "frame", "frame_id", "frameid", "frame_index", "frame_idx", "frame_number",
    "frame_no", "framenumber", "frame_num",
  ]
  private static let timeNames = [
    "timestamp", "time", "t", "ts", "pts", "timestamp_ms", "time_ms", "timestamp_us", "time_s",
  ]
  private static let trackNames = [
    "track", "track_id", "trackid", "person", "person_id", "personid", "pid", "id", "idx", "player",
    "player_id", "object_id", "obj_id", "instance", "instance_id", "body_id", "pose_id", "human",
    "pose_index", "person_index", "subject_id", "individual", "individuals", "tracking_id",
  ]
  private static let pointNames = [
    "landmark", "landmark_index", "landmark_id", "landmark_name", "joint", "joint_id", "joint_name",
    "index", "id", "point", "keypoint", "keypoint_id", "keypoint_name", "type", "part", "bodypart",
    "name", "label", "node", "marker",
  ]
  private static let checkedGroups = 40

  let layout: PoseTable.Layout

  static func isTrackName(_ name: String) -> Bool { trackNames.contains(name.lowercased()) }
  static func isPointName(_ name: String) -> Bool { pointNames.contains(name.lowercased()) }

  init?(_ content: TableContent, _ layout: PoseTable.Layout) throws {
    let table = try PoseTable([content], layout: layout)
    guard table.count > 1 else { return nil }
    let first = try table.frame(0)
    let keys = first.objectKeys
    let groups = (Self.imageNames + Self.timeNames).compactMap { name in
      keys.first { $0.lowercased() == name }
    }
    guard !groups.isEmpty, PeopleSearch.isBody(first) else { return nil }
    let tracks = keys.filter { Self.isTrackName($0) && !groups.contains($0) }
    var values: [[String?]] = groups.map { _ in [] }
    var ids: [[String?]] = tracks.map { _ in [] }
    for index in 0..<table.count {
      let row = try table.frame(index)
      for (place, key) in groups.enumerated() { values[place].append(row[key]?.text) }
      for (place, key) in tracks.enumerated() { ids[place].append(row[key]?.text) }
    }
    for (key, values) in zip(groups, values) {
      guard try Self.isShared(key, values, ids, table) else { continue }
      var own = layout
      own.kind = .rows
      own.group = FieldPath([.key(key)])
      self.layout = own
      return
    }
    return nil
  }

  private static func isShared(
    _ key: String, _ values: [String?], _ ids: [[String?]], _ table: PoseTable
  ) throws -> Bool {
    guard values.allSatisfy({ $0 != nil }) else { return false }
    var counts: [String?: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    let runs = 1 + zip(values.dropFirst(), values).count { $0 != $1 }
    let isImage = imageNames.contains(key.lowercased())
    guard counts.count < values.count else { return key == "image_id" && counts.count == runs }
    guard counts.values.allSatisfy({ $0 <= TableClips.mostPeople }), counts.count > 1 else {
      return false
    }
    let isTracked = ids.contains { ids in
      Set(zip(values, ids).map { [$0, $1] }).count == values.count && Set(ids).count < ids.count
        && Set(ids).count > 1
    }
    if isTracked { return true }
    guard counts.count == runs else { return false }
    var distances: [Double] = []
    for index in values.indices.dropFirst() where values[index] == values[index - 1] {
      distances.append(
        distance(numbers(try table.frame(index - 1)), numbers(try table.frame(index))))
      if distances.count == checkedGroups { break }
    }
    return isImage ? distances.contains { $0 > 0 } : distances.median ?? 0 > 0.1
  }

  private static func numbers(_ row: JSONNode) -> [Double] {
    let search = FieldSearch(row)
    let paths = search.numberLists.map(\.path) + search.points.flatMap(\.place.paths)
    return paths.compactMap { $0.node(in: row) }.flatMap { node in
      if case .object(_, let values) = node.content {
        values.compactMap(\.number)
      } else {
        node.flatNumbers
      }
    }.filter(\.isFinite)
  }

  private static func distance(_ one: [Double], _ other: [Double]) -> Double {
    guard one.count == other.count, let low = one.min(), let high = one.max(), high > low else {
      return one == other ? 0 : 1
    }
    let sum = zip(one, other).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
    return sum / Double(one.count) / (high - low)
  }
}
