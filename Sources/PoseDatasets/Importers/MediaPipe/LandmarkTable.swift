import PoseModel

struct LandmarkTable {
  let file: String
  let columns: LandmarkColumns
  private(set) var labels: [String] = []
  private(set) var times: [Double]?
  /// Row after row, `columns.coordinates.count` numbers each; NaN if a field is empty or not
  /// finite.
  private(set) var values: [Double] = []

  init(_ source: NamedText, _ options: MediaPipeOptions) throws {
    let text = CSVText(source)
    file = source.name
    guard text.lines.count >= 2 else { throw PoseSourceError.emptyTable(file: source.name) }
    columns = try LandmarkColumns(
      header: LandmarkColumns.named(text.fields(ofLine: 0).map(String.init)),
      labelColumn: options.labelColumn, timeColumn: options.timeColumn,
      readsVisibility: options.output == .imagePoints,
      place: SourcePlace(file: file, line: 1))
    times = columns.timeField.map { _ in [] }
    values.reserveCapacity((text.lines.count - 1) * columns.coordinates.count)
    for index in 1..<text.lines.count { try append(text.fields(ofLine: index), row: index - 1) }
  }

  /// Times beyond this, in seconds, are no times of a recording; they are those of a date in
  /// milliseconds, or of a broken field.
  private static let latestTime = 1e10

  var rowCount: Int { labels.count }

  func line(ofRow row: Int) -> Int { row + 2 }

  func numbers(ofRow row: Int) -> ArraySlice<Double> {
    let count = columns.coordinates.count
    return values[row * count..<(row + 1) * count]
  }

  func pose(ofRow row: Int, options: MediaPipeOptions) -> BodyPose {
    let numbers = numbers(ofRow: row)
    let start = numbers.startIndex
    var limbs: [Joint: Vector3] = [:]
    for (joint, slots) in columns.joints {
      let position = options.position(
        x: numbers[start + slots.x], y: numbers[start + slots.y], z: numbers[start + slots.z])
      limbs[options.isMirrored ? joint.mirrored : joint] = position
    }
    return BodyPose(limbs: limbs)
  }

  func points(
    ofRow row: Int, isMirrored: Bool
  ) -> [Joint: (x: Float, y: Float, confidence: Float)] {
    let numbers = numbers(ofRow: row)
    let start = numbers.startIndex
    var points: [Joint: (x: Float, y: Float, confidence: Float)] = [:]
    for (joint, slots) in columns.points {
      let x = numbers[start + slots.x]
      points[isMirrored ? joint.mirrored : joint] = (
        Float(isMirrored ? 1 - x : x), Float(1 - numbers[start + slots.y]),
        slots.confidence.map { Float(numbers[start + $0]) } ?? .nan
      )
    }
    return points
  }

  private static func time(
    _ field: Substring, column name: String, _ place: SourcePlace
  ) throws -> Double {
    guard let time = Double(field), time.isFinite, time.magnitude <= latestTime else {
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: "`\(name)`", found: "`\(field.prefix(40))`",
        allowed: "the time of every row in seconds, such as 12.5")
    }
    return roundedToMicroseconds(time)
  }

  private mutating func append(_ fields: [Substring], row: Int) throws {
    let place = SourcePlace(file: file, line: line(ofRow: row))
    guard fields.count == columns.fieldCount else {
      throw PoseSourceError.wrongFieldCount(
        place, found: fields.count, expected: columns.fieldCount)
    }
    labels.append(String(fields[columns.labelField]))
    if let field = columns.timeField {
      times?.append(try Self.time(fields[field], column: columns.timeName, place))
    }
    for coordinate in columns.coordinates {
      let field = fields[coordinate.field]
      guard let number = field.isEmpty ? .nan : Double(field) else {
        throw PoseSourceError.notANumber(place, column: coordinate.name, found: String(field))
      }
      values.append(number.isFinite ? number : .nan)
    }
  }
}

/// A coordinate is called NAME_x or x_NAME (likewise y and z), in any order and in either case;
/// visibilities (NAME_v, NAME_visibility) are read for image points only, other columns never.
struct LandmarkColumns {
  struct Coordinate {
    let field: Int
    let name: String
    /// Whether it is an x or a y, whose steps show where clips end.
    let isInImage: Bool
  }

  let fieldCount: Int
  let labelField: Int
  let timeField: Int?
  let timeName: String
  let coordinates: [Coordinate]
  let joints: [Joint: SIMD3<Int>]
  let points: [Joint: (x: Int, y: Int, confidence: Int?)]

  private static let face: [(name: String, joint: Joint)] = [
    ("nose", .nose), ("left_eye", .leftEye), ("right_eye", .rightEye), ("left_ear", .leftEar),
    ("right_ear", .rightEar),
  ]

  /// Throws for a repeated column, a missing label column, a joint without one of its coordinates,
  /// or no joints that give a body its size.
  init(
    header: [String], labelColumn: String?, timeColumn: String?, readsVisibility: Bool,
    place: SourcePlace
  ) throws {
    var seen: Set<String> = []
    for name in header where !seen.insert(name.lowercased()).inserted {
      throw PoseSourceError.repeatedColumn(place, column: name)
    }
    let candidates = labelColumn.map { [$0] } ?? ["label", "pose", "class"]
    let lowercased = header.map { $0.lowercased() }
    let fields = candidates.compactMap { lowercased.firstIndex(of: $0.lowercased()) }
    guard let labelField = fields.first else {
      throw PoseSourceError.noLabelColumn(place, expected: candidates, columns: header)
    }
    fieldCount = header.count
    self.labelField = labelField
    timeField = try Self.timeField(timeColumn, header, labelField, place)
    timeName = timeColumn ?? ""
    let found = Self.coordinates(in: lowercased, except: [labelField, timeField])
      .filter { readsVisibility || $0.axis != "v" }
    coordinates = found.map(\.coordinate)
    var slots: [[String]: Int] = [:]
    for (slot, one) in found.enumerated() {
      guard slots.updateValue(slot, forKey: [one.landmark, one.axis]) == nil else {
        throw PoseSourceError.repeatedColumn(place, column: one.coordinate.name)
      }
    }
    joints = try Self.joints(slots: slots, place: place)
    var points: [Joint: (x: Int, y: Int, confidence: Int?)] = [:]
    for (name, joint) in BodyPose.limbs + Self.face {
      guard let x = slots[[name, "x"]], let y = slots[[name, "y"]] else { continue }
      points[joint] = (x, y, slots[[name, "v"]])
    }
    self.points = points
  }

  /// Names of MediaPipe's landmarks for columns that only number them from 0 or 1, such as `x33`;
  /// other headers as they are.
  static func named(_ header: [String]) -> [String] {
    let parts = header.map { cell -> (axis: Character, number: Int)? in
      guard let axis = cell.first, "xyzv".contains(axis), let number = Int(cell.dropFirst()) else {
        return nil
      }
      return (axis, number)
    }
    let numbers = Set(parts.compactMap { $0?.axis == "x" ? $0?.number : nil })
    guard let base = [0, 1].first(where: { numbers == Set($0..<$0 + 33) }) else { return header }
    var names: [Int: String] = [:]
    for (name, joint) in BodyPose.limbs + face {
      if let place = JointOrder.mediaPipe.joints[joint] { names[place + base] = name }
    }
    return zip(header, parts).map { cell, part in
      part.map { "\(names[$0.number] ?? "landmark_\($0.number)")_\($0.axis)" } ?? cell
    }
  }

  private static func timeField(
    _ name: String?, _ header: [String], _ labelField: Int, _ place: SourcePlace
  ) throws -> Int? {
    guard let name else { return nil }
    guard let field = header.firstIndex(where: { $0.lowercased() == name.lowercased() }) else {
      let hint = NearestNames.suggestion(name, among: header)
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: "the header",
        found: "without `\(name)`" + (hint.map { " (\($0))" } ?? ""),
        allowed: "the column that holds the times in seconds")
    }
    guard field != labelField else {
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: "the column of times", found: "that of the labels",
        allowed: "a column of times in seconds")
    }
    return field
  }

  private typealias Found = (landmark: String, axis: String, coordinate: Coordinate)

  private static func coordinates(in header: [String], except others: [Int?]) -> [Found] {
    header.enumerated().compactMap { field, name in
      guard !others.contains(field), let (landmark, axis) = parts(of: name) else { return nil }
      return (
        landmark, axis, Coordinate(field: field, name: name, isInImage: axis == "x" || axis == "y")
      )
    }
  }

  private static func parts(of name: String) -> (landmark: String, axis: String)? {
    for axis in ["x", "y", "z"] {
      if name.hasSuffix("_" + axis) { return (String(name.dropLast(2)), axis) }
      if name.hasPrefix(axis + "_") { return (String(name.dropFirst(2)), axis) }
    }
    for word in ["v", "visibility"] {
      if name.hasSuffix("_" + word) { return (String(name.dropLast(word.count + 1)), "v") }
      if name.hasPrefix(word + "_") { return (String(name.dropFirst(word.count + 1)), "v") }
    }
    return nil
  }

  private static func joints(
    slots: [[String]: Int], place: SourcePlace
  ) throws -> [Joint: SIMD3<Int>] {
    var joints: [Joint: SIMD3<Int>] = [:]
    var missing: [String] = []
    for (name, joint) in BodyPose.limbs {
      let axes = ["x", "y", "z"].map { slots[[name, $0]] }
      if let x = axes[0], let y = axes[1], let z = axes[2] {
        joints[joint] = SIMD3(x, y, z)
      } else if axes.contains(where: { $0 != nil }) {
        let lacking = zip(["x", "y", "z"], axes).filter { $1 == nil }.map(\.0)
        throw PoseSourceError.incompleteLandmark(place, landmark: name, missing: lacking)
      } else if BodyPose.sizeGiving.contains(joint) {
        missing.append(name)
      }
    }
    guard missing.isEmpty else { throw PoseSourceError.missingLandmarks(place, missing) }
    return joints
  }
}
