package import PoseModel

/// Reads frame lines into buffers that are reused from line to line.
///
/// A fast pass reads the form that recorders write. It accepts a subset of what `JSONParser`
/// accepts and gives the same numbers; `JSONParser` reads all other lines.
package struct FrameLineReader {
  private let layout: JointLayout
  package fileprivate(set) var line = FrameLine(time: 0)
  fileprivate var positions: [Float]
  fileprivate var confidences: [Float]
  fileprivate var hasPose = false
  fileprivate var hasConfidences = false

  package init(layout: JointLayout) {
    self.layout = layout
    positions = Array(repeating: .nan, count: layout.stride)
    confidences = Array(repeating: .nan, count: layout.joints.count)
  }

  /// Reads a line without its line feed, in O(bytes); after an error, the reader's contents are
  /// undefined.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(RecordingProblem) {
    var scanner = FrameScanner(bytes, dimension: layout.dimension)
    if scanner.scan(into: &self) { return }
    try take(JSONNode(line: Array(bytes)))
  }

  package func withNumbers(
    _ body: (UnsafeBufferPointer<Float>?, UnsafeBufferPointer<Float>?) throws(RecordingProblem)
      -> Void
  ) throws(RecordingProblem) {
    try positions.withUnsafeBufferPointer { pose throws(RecordingProblem) in
      try confidences.withUnsafeBufferPointer { own throws(RecordingProblem) in
        try body(hasPose ? pose : nil, hasConfidences ? own : nil)
      }
    }
  }
}

extension FrameLineReader {
  private mutating func take(_ node: JSONNode) throws(RecordingProblem) {
    guard let time = node["t"]?.content else { throw .missingField("t") }
    guard node["p"] != nil else { throw .missingField("p") }
    guard case .number(let seconds) = time else { throw wrongType("t", time) }
    line = FrameLine(time: seconds)
    if let up = try doubles("up", node, count: 3) { line.up = Vector3(up[0], up[1], up[2]) }
    line.camera = try doubles("camera", node, count: 16)
    switch node["height_m"]?.content ?? .null {
    case .null: break
    case .number(let height): line.bodyHeight = height
    case let other: throw wrongType("height_m", other)
    }
    line.heightEstimation = try text(
      node["height_estimation"]?.content ?? .null, "height_estimation")
    if let answer = try list("a", node, count: 2) {
      line.hasAnswer = true
      line.plankAnswer = try text(answer[0], "a", element: 0)
      line.formAnswer = try text(answer[1], "a", element: 1)
    }
    try takePositions(node)
    try takeConfidences(node)
  }

  private mutating func takePositions(_ node: JSONNode) throws(RecordingProblem) {
    let numbers = try list("p", node, count: layout.stride)
    hasPose = numbers != nil
    guard let numbers else { return }
    for (index, number) in numbers.enumerated() {
      positions[index] = try float(number, "p", element: index, slot: index / layout.dimension)
    }
    for slot in layout.joints.indices {
      let start = slot * layout.dimension
      let missing = numbers[start..<start + layout.dimension].count { $0 == .null }
      guard missing == 0 || missing == layout.dimension else {
        throw .partlyNull(joint: layout.joints[slot].name)
      }
    }
  }

  private mutating func takeConfidences(_ node: JSONNode) throws(RecordingProblem) {
    let numbers = try list("c", node, count: layout.joints.count)
    hasConfidences = numbers != nil
    for (index, number) in (numbers ?? []).enumerated() {
      confidences[index] = try float(number, "c", element: index, slot: index)
    }
  }

  private func float(
    _ value: JSONNode.Content, _ field: String, element: Int, slot: Int
  ) throws(RecordingProblem) -> Float {
    if value == .null { return .nan }
    guard case .number(let number) = value else { throw wrongType(field, value, element) }
    let result = Float(number)
    guard result.isFinite else {
      throw .notFinite(field: field, joint: layout.joints[slot].name)
    }
    return result
  }

  private func doubles(
    _ field: String, _ node: JSONNode, count: Int
  ) throws(RecordingProblem) -> [Double]? {
    guard let values = try list(field, node, count: count) else { return nil }
    var numbers: [Double] = []
    for (index, value) in values.enumerated() {
      guard case .number(let number) = value else { throw wrongType(field, value, index) }
      numbers.append(number)
    }
    return numbers
  }

  private func list(
    _ field: String, _ node: JSONNode, count: Int
  ) throws(RecordingProblem) -> [JSONNode.Content]? {
    guard let value = node[field]?.content, value != .null else { return nil }
    guard case .list(let values) = value else { throw wrongType(field, value) }
    guard values.count == count else {
      throw .wrongCount(
        field: field, found: values.count, allowed: RecordingProblem.allowed(field, layout: layout))
    }
    return values.map { $0.content }
  }

  private func text(
    _ value: JSONNode.Content, _ field: String, element: Int? = nil
  ) throws(RecordingProblem) -> String? {
    switch value {
    case .null: return nil
    case .text(let text): return text
    default: throw wrongType(field, value, element)
    }
  }

  private func wrongType(
    _ field: String, _ value: JSONNode.Content, _ element: Int? = nil
  ) -> RecordingProblem {
    .wrongType(
      field: field, element: element, found: value.kind,
      allowed: RecordingProblem.allowed(field, layout: layout))
  }
}

extension JSONNode.Content {
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean value"
    case .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// Reads a frame line with known keys, each at most once, strings without escapes, and spaces only
/// before keys and values.
private struct FrameScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let dimension: Int
  private var index = 0

  init(_ bytes: UnsafeRawBufferPointer, dimension: Int) {
    self.bytes = bytes.assumingMemoryBound(to: UInt8.self)
    self.dimension = dimension
  }

  /// Returns false for a line that needs `JSONParser`; the contents of `frame` are then undefined.
  mutating func scan(into frame: inout FrameLineReader) -> Bool {
    frame.line = FrameLine(time: 0)
    frame.hasPose = false
    frame.hasConfidences = false
    guard take(UInt8(ascii: "{")) else { return false }
    var seen: Field = []
    repeat {
      skipSpaces()
      guard let field = field(), seen.insert(field).inserted else { return false }
      skipSpaces()
      guard value(of: field, into: &frame) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) && index == bytes.count && seen.isSuperset(of: [.time, .pose])
  }

  private struct Field: OptionSet {
    let rawValue: UInt8

    static let time = Field(rawValue: 1)
    static let pose = Field(rawValue: 2)
    static let up = Field(rawValue: 4)
    static let camera = Field(rawValue: 8)
    static let height = Field(rawValue: 16)
    static let heightEstimation = Field(rawValue: 32)
    static let confidences = Field(rawValue: 64)
    static let answer = Field(rawValue: 128)
  }

  private mutating func field() -> Field? {
    if take("\"t\":") { return .time }
    if take("\"p\":") { return .pose }
    if take("\"up\":") { return .up }
    if take("\"camera\":") { return .camera }
    if take("\"c\":") { return .confidences }
    if take("\"a\":") { return .answer }
    if take("\"height_m\":") { return .height }
    if take("\"height_estimation\":") { return .heightEstimation }
    return nil
  }

  private mutating func value(of field: Field, into frame: inout FrameLineReader) -> Bool {
    switch field {
    case .time:
      guard let time = number() else { return false }
      frame.line.time = time
      return true
    case .pose:
      if take("null") { return true }
      frame.hasPose = true
      let own = dimension
      return frame.positions.withUnsafeMutableBufferPointer { floats($0, groupsOf: own) }
    case .confidences:
      if take("null") { return true }
      frame.hasConfidences = true
      return frame.confidences.withUnsafeMutableBufferPointer { floats($0, groupsOf: 1) }
    case .up:
      if take("null") { return true }
      guard let up = doubles(3) else { return false }
      frame.line.up = Vector3(up[0], up[1], up[2])
      return true
    case .camera:
      if take("null") { return true }
      frame.line.camera = doubles(16)
      return frame.line.camera != nil
    case .height:
      if take("null") { return true }
      frame.line.bodyHeight = number()
      return frame.line.bodyHeight != nil
    case .heightEstimation: return word(&frame.line.heightEstimation)
    default: return answer(&frame.line)
    }
  }

  private mutating func answer(_ line: inout FrameLine) -> Bool {
    if take("null") { return true }
    line.hasAnswer = true
    guard take(UInt8(ascii: "[")), word(&line.plankAnswer), take(UInt8(ascii: ",")) else {
      return false
    }
    skipSpaces()
    return word(&line.formAnswer) && take(UInt8(ascii: "]"))
  }

  private mutating func word(_ word: inout String?) -> Bool {
    if take("null") { return true }
    guard take(UInt8(ascii: "\"")) else { return false }
    let start = index
    while (next | 0x20) &- UInt8(ascii: "a") < 26 { index += 1 }
    word = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
    return take(UInt8(ascii: "\""))
  }

  private mutating func doubles(_ count: Int) -> [Double]? {
    guard take(UInt8(ascii: "[")) else { return nil }
    var numbers: [Double] = []
    numbers.reserveCapacity(count)
    for place in 0..<count {
      if place > 0, !comma() { return nil }
      guard let number = number() else { return nil }
      numbers.append(number)
    }
    return take(UInt8(ascii: "]")) ? numbers : nil
  }

  private mutating func floats(
    _ floats: UnsafeMutableBufferPointer<Float>, groupsOf size: Int
  ) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    var nulls = 0
    var left = size  // of the group
    for place in floats.indices {
      if place > 0, !comma() { return false }
      if let coordinate = coordinate() {
        floats[place] = coordinate
      } else if next == UInt8(ascii: "n") {
        guard take("null") else { return false }
        floats[place] = .nan
        nulls += 1
      } else {
        guard let number = number() else { return false }
        floats[place] = Float(number)
        guard floats[place].isFinite else { return false }
      }
      left -= 1
      if left == 0 {
        guard nulls == 0 || nulls == size else { return false }
        (nulls, left) = (0, size)
      }
    }
    return take(UInt8(ascii: "]"))
  }

  /// Reads an optional minus sign, a digit, a point and one to eight digits; nil for any other
  /// text.
  ///
  /// Eight bytes are examined together, and three products add up their digits (Lemire 2021, Number
  /// parsing at a gigabyte per second). The value equals that of `number`, because both are
  /// quotients of exact numbers.
  @inline(__always)
  private mutating func coordinate() -> Float? {
    guard bytes.count - index >= 16, let text = bytes.baseAddress else { return nil }
    let isNegative = text[index] == UInt8(ascii: "-")
    let start = index + (isNegative ? 1 : 0)
    let whole = text[start] &- UInt8(ascii: "0")
    guard whole < 10, text[start + 1] == UInt8(ascii: ".") else { return nil }
    let point = start + 2
    let ascii = UnsafeRawPointer(text + point).loadUnaligned(as: UInt64.self).littleEndian
    var digits = ascii ^ 0x3030_3030_3030_3030
    // The first byte that is not a digit gets its high bit; later bytes do not matter.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    let decimals = others.trailingZeroBitCount / 8
    let after = text[point + decimals]
    guard decimals > 0, after == UInt8(ascii: ",") || after == UInt8(ascii: "]") else { return nil }
    digits <<= UInt64(64 - 8 * decimals)
    digits = digits &* 10 &+ digits >> 8
    let hundreds = (digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let ones = (digits >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    index = point + decimals
    let power = Double.powersOfTen[decimals]
    let value = (Double(whole) * power + Double((hundreds &+ ones) >> 32)) / power
    return Float(isNegative ? -value : value)
  }

  /// Reads a decimal number with at most 18 digits and no exponent.
  ///
  /// `longNumber` reads all other numbers. Whole numbers up to 2^53 and powers of ten up to 10^22
  /// are exact, so their quotient is the nearest `Double` (Clinger 1990, How to read floating point
  /// numbers accurately).
  private mutating func number() -> Double? {
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    let whole = index
    var digits: UInt64 = 0
    while case let digit = next &- UInt8(ascii: "0"), digit < 10 {
      digits = digits &* 10 &+ UInt64(digit)
      index += 1
    }
    guard index == whole + 1 || (index > whole && bytes[whole] != UInt8(ascii: "0")) else {
      return nil
    }
    var decimals = 0
    if take(UInt8(ascii: ".")) {
      let point = index
      while case let digit = next &- UInt8(ascii: "0"), digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
        index += 1
      }
      decimals = index - point
      guard decimals > 0 else { return nil }
    } else if isNegative && digits == 0 {
      return nil
    }
    if index - whole > 18 || digits > 1 << 53 || next | 0x20 == UInt8(ascii: "e") {
      return longNumber(from: start, hasDecimals: decimals > 0)
    }
    let value = Double(digits) / Double.powersOfTen[decimals]
    return isNegative ? -value : value
  }

  /// Returns nil for a whole number, which a `Double` may not hold exactly.
  private mutating func longNumber(from start: Int, hasDecimals: Bool) -> Double? {
    var isWhole = !hasDecimals
    if next | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      let exponent = index
      while next &- UInt8(ascii: "0") < 10 { index += 1 }
      guard index > exponent else { return nil }
    }
    guard !isWhole else { return nil }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - index >= count else { return false }
    for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
    index += count
    return true
  }

  private mutating func comma() -> Bool {
    guard take(UInt8(ascii: ",")) else { return false }
    skipSpaces()
    return true
  }

  private mutating func skipSpaces() {
    while next == UInt8(ascii: " ") { index += 1 }
  }
}
