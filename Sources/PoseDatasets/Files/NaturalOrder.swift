/// Text in the order in which people number things: 2 before 10.
enum NaturalOrder {
  static func isBefore(_ one: String, _ other: String) -> Bool {
    let (a, b) = (Array(one.utf8), Array(other.utf8))
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      guard isDigit(a[i]), isDigit(b[j]) else {
        if a[i] != b[j] { return a[i] < b[j] }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (m, n) = (number(a, &i), number(b, &j))
      if m.count != n.count { return m.count < n.count }
      if let pair = zip(m, n).first(where: { $0 != $1 }) { return pair.0 < pair.1 }
    }
    let (left, right) = (a.count - i, b.count - j)
    return left != right ? left < right : one < other
  }

  /// The text with every number in it replaced by `#`.
  static func shape(_ text: String) -> String {
    var shape = ""
    var isNumber = false
    for character in text {
      let isDigit = character.isASCII && character.isNumber
      if !(isDigit && isNumber) { shape.append(isDigit ? "#" : character) }
      isNumber = isDigit
    }
    return shape
  }

  /// The numbers in a text; those of more than 18 digits count as 0.
  static func numbers(_ text: String) -> [Int] {
    text.split { !($0.isASCII && $0.isNumber) }.map { $0.count > 18 ? 0 : Int($0) ?? 0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// A number without zeros at its start.
  private static func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    let digits = bytes[start..<index]
    return digits.drop { $0 == 48 }
  }
}
