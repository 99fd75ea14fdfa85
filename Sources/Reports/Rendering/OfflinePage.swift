internal import CPages
internal import Platform
package import PoseDatasets

/// An interactive page in one HTML file, which needs no network and cannot reach one.
///
/// The content policy allows only the style sheet and the script in the page, by their SHA-256, and
/// what the page permits explicitly. All data is in JSON blocks, which the script parses as data
/// and shows as text.
package struct OfflinePage: Sendable {
  package let title: String
  package let template: String
  package let style: String
  package let scripts: [String]
  var scriptPermissions: [String] = []
  var directives: [String] = []

  package init(
    title: String, template: String, style: String, scripts: [String],
    scriptPermissions: [String] = [], directives: [String] = []
  ) {
    self.title = title
    self.template = template
    self.style = style
    self.scripts = scripts
    self.scriptPermissions = scriptPermissions
    self.directives = directives
  }

  private static let head = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{{policy}}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{{title}}</title>
    <style>{{style}}</style>
    </head>
    <body>

    """

  package func html(_ data: some Encodable, body: String = "") throws -> String {
    try html(filling: [Self.inert(JSONText.of(data))], body: body)
  }

  package func html(blocks: [(id: String, json: String)], body: String = "") throws -> String {
    try html(
      filling: blocks.flatMap { id, json in
        ["<script type=\"application/json\" id=\"\(id)\">", Self.inert(json), "</script>\n"]
      }, body: body)
  }

  private func html(filling data: [String], body: String) throws -> String {
    let shared = PageFile.text("base.css")
    let script = script
    let style = "\n" + Theme.css + shared + "\n" + style
    return Self.filled(
      Self.head + template + "</body>\n</html>\n",
      [
        "title": [title], "policy": [try policy(style: style, script: script)], "style": [style],
        "script": [script], "data": data, "body": [body],
      ])
  }

  private var script: String {
    "\n(() => {\n'use strict';\n\n" + PageFile.text(scripts) + "})();\n"
  }

  private func policy(style: String, script: String) throws -> String {
    let scripts = ["'sha256-\(try Self.digest(of: script))'"] + scriptPermissions
    return
      ([
        "default-src 'none'", "script-src " + scripts.joined(separator: " "),
        "style-src 'sha256-\(try Self.digest(of: style))'",
      ] + directives + ["base-uri 'none'", "form-action 'none'"]).joined(separator: "; ")
  }

  static func digest(of text: String) throws -> String {
    Data(try SHA256Digest(of: Array(text.utf8)).bytes).base64EncodedString()
  }

  private static func inert(_ json: String) -> String {
    // E2, the first byte of both separators, also occurs in other characters.
    let active = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0xE2]
    let isInert = json.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { start in
        active.allSatisfy { memchr(start, Int32($0), bytes.count) == nil }
      } ?? true
    }
    guard isInert != true else { return json }
    var result: [UInt8] = []
    result.reserveCapacity(json.utf8.count)
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "<"): result += "\\u003c".utf8
      case UInt8(ascii: ">"): result += "\\u003e".utf8
      case UInt8(ascii: "&"): result += "\\u0026".utf8
      default: result.append(byte)
      }
      // U+2028 and U+2029 are E2 80 A8 and E2 80 A9 in UTF-8.
      if (0xA8...0xA9).contains(byte), result.dropLast().suffix(2).elementsEqual([0xE2, 0x80]) {
        result.removeLast(3)
        result += byte == 0xA8 ? "\\u2028".utf8 : "\\u2029".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func filled(_ template: String, _ values: [String: [String]]) -> String {
    var result = ""
    // The data is by far the largest value, so it must be copied only once.
    result.reserveCapacity(
      values.values.joined().reduce(2 * template.utf8.count) { $0 + $1.utf8.count })
    var rest = Substring(template)
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      result += rest[..<open.lowerBound]
      for piece in values[String(rest[open.upperBound..<close.lowerBound])] ?? [] {
        result += piece
      }
      rest = rest[close.upperBound...]
    }
    result += rest
    return result
  }
}

/// Bytes as text: five digits for four bytes, which takes 6 % less room than base64.
package enum Base85 {
  /// The digits of RFC 1924, but `,./[]` for those that JSON, HTML or `OfflinePage` treats
  /// specially.
  private static let digits = Array(
    ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
      + "!#$%,.)*+-;/=[?@^_`]|}~").utf8)

  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 3) / 4 * 5)
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let group = bytes[start..<min(start + 4, bytes.count)]
      let missing = 4 - group.count
      var number = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * missing)
      text.append(contentsOf: repeatElement(0, count: 5))
      for place in 1...5 {
        text[text.count - place] = digits[Int(number % 85)]
        number /= 85
      }
      text.removeLast(missing)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

package enum PageFile {
  package static func bytes(_ name: String) -> [UInt8] {
    let file = page_file_named(name)
    precondition(file.bytes != nil, "\(name) is not built in; add it to pages.c")
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  package static func text(_ name: String) -> String {
    String(decoding: bytes(name), as: UTF8.self)
  }

  package static func text(_ names: [String]) -> String {
    names.map { text($0) }.joined(separator: "\n")
  }
}

struct MicrosecondSteps {
  private(set) var steps: [UInt32] = []
  private(set) var isExact = true

  init(_ times: [Double]) {
    var previous: Double?
    for time in times {
      let whole = (time * 1e6).rounded()
      let step = whole - (previous ?? whole)
      guard whole / 1e6 == time, let step = UInt32(exactly: step) else {
        isExact = false
        return
      }
      steps.append(step)
      previous = whole
    }
  }
}

package enum PackedTimes {
  /// Whole microseconds between frames if that is exact, otherwise the bits of the times
  /// themselves.
  package static func text(_ times: [[Double]]) -> String {
    let steps = times.map { MicrosecondSteps($0) }
    guard steps.allSatisfy(\.isExact) else {
      return "bits:" + PackedColumn.text(times.flatMap { $0.map(\.bitPattern) })
    }
    return "steps:" + PackedColumn.text(steps.flatMap(\.steps))
  }
}

/// Numbers packed for a page: their bytes sorted by place, deflated, in base 85.
///
/// Bytes of the same place have more in common than neighboring bytes, so sorting makes
/// measurements another tenth smaller.
package enum PackedColumn {
  package static func text<Number: FixedWidthInteger & UnsignedInteger>(
    _ numbers: [Number], _ content: PackedBytes.Content = .numbers
  ) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
    for place in stride(from: 0, to: Number.bitWidth, by: 8) {
      for number in numbers { bytes.append(UInt8(truncatingIfNeeded: number >> Number(place))) }
    }
    return text(bytes, content)
  }

  package static func text(_ bytes: [UInt8], _ content: PackedBytes.Content) -> String {
    guard let packed = PackedBytes.deflated(bytes, content) else {
      preconditionFailure("no memory to pack \(bytes.count) bytes")
    }
    return Base85.text(of: packed)
  }
}

package enum PackedSteps {
  /// Packs each number's step from the previous frame, with wraparound, in zigzag code.
  ///
  /// Zigzag code, as in a protocol buffer's `sint32`, is a sixth smaller than two's complement.
  /// `stride` is how many numbers a frame has.
  package static func text(_ numbers: [Int16], stride: Int) -> String {
    PackedColumn.text(steps(numbers, stride: stride))
  }

  static func steps(_ numbers: [Int16], stride: Int) -> [UInt16] {
    numbers.indices.map { place in
      let step = numbers[place] &- (place < stride ? 0 : numbers[place - stride])
      return UInt16(bitPattern: (step << 1) ^ (step >> 15))
    }
  }
}

package struct PackedValues: Hashable, Sendable {
  /// Holds `steps:` with multiples of `unit`, in which the least `Int16` stands for NaN, or `bits:`
  /// with the numbers themselves.
  ///
  /// `bits:` is used if a few numbers are so large that multiples would leave the others no digits.
  package let text: String
  package let unit: Double

  package init(_ values: [Float]) {
    let sizes = values.lazy.filter { !$0.isNaN }.map { Double($0.magnitude) }
    let (count, largest, sum) = sizes.reduce((0, 0.0, 0.0)) { ($0.0 + 1, max($0.1, $1), $0.2 + $1) }
    let isEven = largest.isFinite && sum * Self.mostOverMean >= largest * Double(count)
    unit = largest > 0 && isEven ? Self.decade(of: largest) / 1000 : 1
    guard isEven else {
      text = "bits:" + PackedColumn.text(values.map(\.bitPattern))
      return
    }
    let unit = unit
    text =
      "steps:"
      + PackedSteps.text(
        values.map { $0.isNaN ? Int16.min : Int16((Double($0) / unit).rounded()) }, stride: 1)
  }

  private static let mostOverMean = 50.0

  private static func decade(of number: Double) -> Double {
    var decade = 1.0
    while decade * 10 <= number { decade *= 10 }
    while decade > number { decade /= 10 }
    return decade
  }
}
