/// What JSON writes otherwise than YAML, of which it is nearly a part.
enum JSONEscapes {
  /// A JSON text whose characters beyond U+FFFF, which JSON may write as two escapes of UTF-16, stand
  /// as themselves; a text that is no JSON object comes back as it is.
  ///
  /// - Complexity: O(bytes).
  static func joined(_ text: String) -> String {
    guard text.utf8.first(where: { !isSpace($0) }) == UInt8(ascii: "{"), text.contains("\\u") else {
      return text
    }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "\\") {
        result.append(bytes[index])
        index += 1
      } else if let high = unit(bytes, index), let low = unit(bytes, index + escapeLength),
        UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low)
      {
        result += String(decoding: [high, low], as: UTF16.self).utf8
        index += 2 * escapeLength
      } else {
        // An escape of two bytes or more: its second byte begins none.
        result += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The unit that an escape such as `\u00e9` stands for.
  private static func unit(_ bytes: [UInt8], _ start: Int) -> UInt16? {
    guard start + escapeLength <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(
      String(decoding: bytes[(start + 2)..<(start + escapeLength)], as: UTF8.self), radix: 16)
  }

  private static let escapeLength = 6

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
