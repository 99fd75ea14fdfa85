import Platform
import PoseModel
import PoseRecording

struct MappedFrame {
  var time = 0.0
  var positions: [Vector3] = []
  var confidences: [Float] = []
  var label = ""
  var camera: CameraMatrix?
  var up: Vector3?
  var bodyHeight: Meters?

  var hasRootAtZero = false

  var isEmpty: Bool { positions.count { $0.isFinite } <= (hasRootAtZero ? 1 : 0) }

  func positions(of joints: [Joint]) -> [Joint: Vector3] {
    Dictionary(zip(joints, positions).filter { $0.1.isFinite }) { $1 }
  }
}

extension Vector3 {
  static let missing = Vector3(.nan, .nan, .nan)
}

struct FrameReader {
  let map: TableMap
  private(set) var confidences: ClosedRange<Double>?
  private(set) var dropped = 0
  private let joints: [Joint]
  private var places: [[FieldReader]]
  private var time: TimeReader?
  var wrap: ClockWrap? { time?.wrap }
  private var camera: FieldReader?
  private var anchor: FieldReader?
  private var up: FieldReader?
  private var bodyHeight: FieldReader?
  private var label: FieldReader?
  private var pointConfidence: FieldReader?
  private var presence: FieldReader?

  init(map: TableMap, joints: [Joint]) {
    self.map = map
    self.joints = joints
    places = joints.map { map.joints[$0]?.paths.map { FieldReader($0) } ?? [] }
    time = TimeReader(map.time)
    camera = map.camera.map { FieldReader($0) }
    anchor = map.anchor.map { FieldReader($0) }
    up = map.upField.map { FieldReader($0) }
    bodyHeight = map.bodyHeightField.map { FieldReader($0) }
    label = map.labels.map { FieldReader($0.field) }
    pointConfidence = map.confidence?.field.map { FieldReader($0) }
    presence = map.presence.map { FieldReader($0) }
  }

  mutating func frame(_ node: JSONNode, at place: SourcePlace) throws -> MappedFrame {
    var frame = MappedFrame()
    let place = node.line > place.line ? SourcePlace(file: place.file, line: node.line) : place
    for slot in joints.indices {
      let (position, confidence) = try joint(slot, of: node, at: place)
      frame.positions.append(position)
      if joints[slot] == .root, position.norm <= map.units.noise { frame.hasRootAtZero = true }
      if map.skeleton.dimension == 2 { frame.confidences.append(confidence) }
    }
    if let field = presence?.field(of: node),
      JointState.share(field, named: map.presence?.lastKey ?? "") == 0
    {
      frame.dropPositions()
    }
    frame.time = try time?.seconds(of: node, hasPose: !frame.isEmpty, at: place) ?? 0
    try turn(&frame, by: node, at: place)
    if let field = up?.field(of: node), !field.isEmpty { frame.up = try upVector(field, at: place) }
    if let height = bodyHeight?.field(of: node)?.number, height > 0, height.isFinite {
      frame.bodyHeight = Meters(height)
    }
    frame.label = label?.field(of: node)?.text ?? ""
    return frame
  }

  private mutating func turn(
    _ frame: inout MappedFrame, by node: JSONNode, at place: SourcePlace
  ) throws {
    if let field = camera?.field(of: node), !field.isEmpty {
      frame.camera = try matrix(field, "camera_matrix", at: place)
    }
    if let path = map.anchor, !frame.isEmpty {
      guard let field = anchor?.field(of: node), !field.isEmpty else {
        throw Self.error(place, path.text, "missing", "the anchor's matrix with every pose")
      }
      let matrix = try matrix(field, "anchor_matrix", at: place)
      frame.positions = frame.positions.map { matrix.rotation($0) + matrix.translation }
    }
    frame.positions = frame.positions.map(oriented)
  }

  private func oriented(_ position: Vector3) -> Vector3 {
    guard map.skeleton.dimension == 3 else { return imagePoint(position) }
    var p = position
    if map.units == .image, let size = map.imageSize {
      let aspect = Double(size.width) / Double(size.height)
      p = Vector3(position.x * aspect, position.y, position.z * aspect)
    }
    return Vector3(map.axes[0](p), map.axes[1](p), map.axes[2](p))
  }

  private func imagePoint(_ point: Vector3) -> Vector3 {
    guard point.isFinite, let size = map.imageSize else { return .missing }
    var (width, height) = (Double(size.width), Double(size.height))
    if map.isRowFirst { swap(&width, &height) }
    let isShare = map.units == .image
    // Fractions of width and height, from the corner that is the file's origin.
    let own = isShare ? point : Vector3(point.x / width, point.y / height, 0)
    let values = [own.x, own.y]
    func share(_ axis: TableMap.Axis) -> Double {
      axis.isNegative ? 1 - values[axis.index] : values[axis.index]
    }
    let (right, up) = (share(map.axes[0]), share(map.axes[1]))
    guard map.skeleton == .coco17, let upright = map.uprightImageSize else {
      return Vector3(right, up, 0)
    }
    return Vector3(right * Double(upright.width), (1 - up) * Double(upright.height), 0)
  }

  private mutating func joint(
    _ slot: Int, of node: JSONNode, at place: SourcePlace
  ) throws -> (Vector3, Float) {
    var numbers: [Double] = []
    var confidence: Double?
    if places[slot].count == 1 {
      guard let field = places[slot][0].field(of: node), !field.isEmpty else {
        return (.missing, .nan)
      }
      numbers = try coordinates(of: field, slot, at: place)
      let name = map.confidence?.field?.lastKey ?? ""
      confidence = pointConfidence?.field(of: field).flatMap { JointState.share($0, named: name) }
    } else {
      for index in places[slot].indices {
        let field = places[slot][index].field(of: node)
        let path = places[slot][index].path
        if index == map.skeleton.dimension, let field, !field.isEmpty,
          let share = JointState.share(field, named: path.lastKey)
        {
          numbers.append(share)
        } else {
          numbers.append(try number(field, at: place, path: path.text))
        }
      }
      if numbers.count > map.skeleton.dimension { confidence = numbers.removeLast() }
    }
    if let own = confidence, let rule = map.confidence { confidence = rule.share(own) }
    let present = numbers.count { $0.isFinite }
    guard present == 0 || present == numbers.count else {
      throw Self.error(
        place, places[slot].map(\.path.text).joined(separator: ", "),
        "with only some of its coordinates", "all coordinates of a joint, or none")
    }
    if present > 0, isFiller(numbers, at: joints[slot]) {
      return (.missing, Float(confidence ?? .nan))
    }
    if let confidence, confidence.isFinite {
      let range = confidences ?? confidence...confidence
      confidences = min(range.lowerBound, confidence)...max(range.upperBound, confidence)
    }
    let isSure = confidence.map { $0 >= map.confidence?.floor ?? 0 && $0 > 0 } ?? true
    guard present > 0, isSure || map.confidence == nil else {
      if present > 0 { dropped += 1 }
      return (.missing, Float(confidence ?? .nan))
    }
    let z = numbers.count > 2 ? numbers[2] : 0
    return (Vector3(numbers[0], numbers[1], z), Float(confidence ?? .nan))
  }

  private func coordinates(
    of point: JSONNode, _ slot: Int, at place: SourcePlace
  ) throws -> [Double] {
    var path: String { places[slot][0].path.text }
    let dimension = map.skeleton.dimension
    switch point.content {
    case .object:
      return try map.coordinates.prefix(dimension).map { name in
        try number(point[name], at: place, path: "\(path).\(name)")
      }
    case .list(let elements):
      if dimension == 3, let matrix = point.matrix { return translation(matrix) }
      guard elements.count >= dimension else {
        throw Self.error(place, path, point.summary, "\(dimension) numbers, or a matrix of 16")
      }
      return try (0..<dimension).map { index in
        try number(elements[index], at: place, path: "\(path)[\(index)]")
      }
    default:
      throw Self.error(
        place, path, point.summary, "a point: a list of numbers or an object with coordinates")
    }
  }

  private func translation(_ matrix: [Double]) -> [Double] {
    map.matrices == .columns ? Array(matrix[12..<15]) : [matrix[3], matrix[7], matrix[11]]
  }

  private func number(
    _ node: JSONNode?, at place: SourcePlace, path: @autoclosure () -> String
  ) throws -> Double {
    guard let node, !node.isEmpty else { return .nan }
    guard let number = node.number else {
      throw Self.error(place, path(), node.summary, "a number, or nothing for a missing joint")
    }
    return number.isFinite ? number : .nan
  }

  private func matrix(
    _ node: JSONNode, _ what: String, at place: SourcePlace
  ) throws -> CameraMatrix {
    let flat = node.flatNumbers
    let entries =
      map.matrices == .columns || flat.count != 16
      ? flat : (0..<16).map { flat[$0 % 4 * 4 + $0 / 4] }
    guard let matrix = CameraMatrix(columnMajor: entries), matrix.turnsRigidly else {
      throw Self.error(
        place, what,
        CountText.of(flat.count, "number") + " that are not a rotation and translation",
        "16 finite numbers of a rigid transform; `matrices` says whether columns or rows come first"
      )
    }
    return matrix
  }

  private func upVector(_ node: JSONNode, at place: SourcePlace) throws -> Vector3 {
    var numbers = node.flatNumbers
    if case .object = node.content { numbers = map.coordinates.compactMap { node[$0]?.number } }
    let up = numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    guard let up, map.isUpReversed ? up.norm > 0.5 : UpDirection.acceptedNorms ~= up.norm else {
      throw Self.error(place, "up", node.summary, "three numbers, a vector of length 1")
    }
    let turned = Vector3(map.axes[0](up), map.axes[1](up), map.axes[2](up))
    return turned / (map.isUpReversed ? -turned.norm : turned.norm)
  }

  private static func error(
    _ place: SourcePlace, _ path: String, _ found: String, _ allowed: String
  ) -> PoseSourceError { place.unexpected("`\(path)`", found, allowed) }
}

extension JSONNode {
  var flatNumbers: [Double] {
    guard case .list(let elements) = content else { return number.map { [$0] } ?? [] }
    return elements.flatMap(\.flatNumbers)
  }
}

/// The value that a file writes in place of a joint that was not found.
///
/// It is one number for all coordinates, such as 9999, or one per coordinate, such as 0 and 1.
package struct PoseFiller: Hashable, Sendable {
  package let numbers: [Double]

  package init(_ numbers: [Double]) {
    let isOne = numbers.dropFirst().allSatisfy { $0 == numbers[0] }
    self.numbers = isOne ? Array(numbers.prefix(1)) : numbers
  }

  package static let zero = PoseFiller([0])

  func fills(_ coordinates: [Double], noise: Double) -> Bool {
    if self == .zero { return coordinates.allSatisfy { $0.magnitude <= noise } }
    return numbers.count == 1
      ? coordinates.allSatisfy { $0 == numbers[0] } : coordinates.elementsEqual(numbers)
  }

  package var text: String {
    numbers.count == 1
      ? numbers[0].plain : "[" + numbers.map(\.plain).joined(separator: ", ") + "]"
  }
}

extension TableMap.Units {
  /// The largest distance from 0 that still counts as 0, in the map's unit.
  var noise: Double { self == .pixels ? 1e-2 : 1e-5 }
}

extension FrameReader {
  /// Whether coordinates are a filler.
  ///
  /// A root at 0 in 3D is not, because it may be the origin; `TableClip` decides that over all
  /// frames.
  func isFiller(_ coordinates: [Double], at joint: Joint) -> Bool {
    let noise = map.units.noise
    guard let filler = map.fillers.first(where: { $0.fills(coordinates, noise: noise) }) else {
      return false
    }
    return !(joint == .root && filler == .zero && map.skeleton.dimension == 3)
  }
}

extension MappedFrame {
  func hasSamePositions(as other: MappedFrame) -> Bool {
    !isEmpty
      && zip(positions, other.positions).allSatisfy { $0 == $1 || (!$0.isFinite && !$1.isFinite) }
  }

  func repeats(_ other: MappedFrame) -> Bool {
    (isEmpty && other.isEmpty) || hasSamePositions(as: other)
  }

  mutating func dropPositions() { positions = positions.map { _ in .missing } }
}

enum JointState {
  private static let states = [
    "state", "status", "level", "tracked", "valid", "detected", "found", "visible",
  ]
  /// Parts of field names in which `true` means that a joint was not found.
  private static let opposites = ["occlu", "missing", "lost", "invalid", "untracked"]
  private static let nothing: Set = [
    "none", "no", "false", "lost", "missing", "invalid", "hidden", "occluded", "undetected",
    "untracked", "unavailable", "outofframe", "outside",
  ]
  private static let something: [String: Double] = [
    "low": 0.3, "inferred": 0.5, "medium": 0.6, "high": 1, "tracked": 1, "tracking": 1, "yes": 1,
    "true": 1, "visible": 1, "valid": 1, "detected": 1, "found": 1, "good": 1, "ok": 1, "normal": 1,
  ]

  static func isState(_ name: String) -> Bool {
    let name = letters(name)
    return (states + opposites).contains { name.contains($0) }
  }

  static func share(_ node: JSONNode, named name: String) -> Double? {
    let name = letters(name)
    let isOpposite = opposites.contains { name.contains($0) }
    switch node.content {
    case .boolean(let value): return value != isOpposite ? 1 : 0
    case .text(let text) where node.number?.isFinite != true:
      if text.hasSuffix("%"), let percent = Double(decimal: text.dropLast()) {
        return percent / 100
      }
      return share(ofWord: letters(text)) ?? node.number
    // Gson writes MediaPipe's optional numbers on Android as objects.
    case .object: return node["value"].flatMap { share($0, named: name) }
    default:
      guard let number = node.number else { return nil }
      if isOpposite { return number > 0 ? 0 : 1 }
      // Whole numbers above 1 are levels of a state, of which 0 means not found.
      let isCount = number > 1 && number == number.rounded() && !name.contains("visib")
      return isCount && isState(name) ? 1 : number
    }
  }

  private static func share(ofWord word: String) -> Double? {
    nothing.contains(word) || word.hasPrefix("not") ? 0 : something[word]
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
}
