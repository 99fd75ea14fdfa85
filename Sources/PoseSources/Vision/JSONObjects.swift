/// The top-level objects of a text that holds one JSON object after the other.
///
/// One object a line, as an app writes them that may be killed; objects over several lines and an
/// array of objects are read as well.
struct JSONObjects {
  /// One object with the line on which it begins.
  struct Element {
    let line: Int
    let bytes: ArraySlice<UInt8>
  }

  /// The objects in order.
  let elements: [Element]

  /// Finds the objects of a text.
  ///
  /// - Throws: `PoseSourceError.unexpectedValue` for an object that breaks off, and for anything
  ///   between objects but commas and the brackets of an array.
  /// - Complexity: O(bytes).
  init(_ source: NamedText) throws(PoseSourceError) {
    let bytes = Array(source.text.utf8)
    var elements: [Element] = []
    var line = 1
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"):
        guard let end = Self.end(of: bytes, from: position) else {
          throw .unexpectedValue(
            file: "\(source.name):\(line)", path: "the object", found: "cut off",
            allowed: "a whole one: delete the rest of the file from this line on")
        }
        elements.append(Element(line: line, bytes: bytes[position..<end]))
        line += bytes[position..<end].count { $0 == UInt8(ascii: "\n") }
        position = end
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        position += 1
      default:
        let found = String(
          decoding: bytes[position..<min(position + 12, bytes.count)], as: UTF8.self)
        throw .unexpectedValue(
          file: "\(source.name):\(line)", path: "the text", found: "`\(found)`",
          allowed: "one JSON object a frame, each on a line of its own")
      }
    }
    self.elements = elements
  }

  /// The position after the object that begins at a position; nil where it does not end.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isText = false
    var isEscaped = false
    for position in start..<bytes.count {
      let byte = bytes[position]
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return position + 1 }
      }
    }
    return nil
  }
}
