internal import PoseModel

/// The page on which a person labels a recording: one HTML file that needs no network.
///
/// Its policy allows the one style sheet and the one script that are written here, by their
/// SHA-256, and media of the computer itself; nothing can be fetched or sent. All that comes from
/// the recording stands in one JSON block, which the script reads as data and shows as text.
enum LabelingPage {
  /// The HTML of the page.
  ///
  /// - Precondition: every strip has one value a frame.
  /// - Returns: the same text for the same input; about 150 bytes a frame and 5 more a strip.
  static func html(from input: LabelingInput) -> String {
    let frames = input.recording.frameCount
    precondition(
      input.strips.allSatisfy { $0.values.count == frames }, "a strip has one value a frame")
    let style = PageAssets.style
    let script = PageAssets.script
    return filled(
      PageAssets.template,
      [
        "policy": policy(style: style, script: script), "style": style, "script": script,
        "data": LabelingData.json(of: input),
      ])
  }

  /// The policy that keeps the page alone on its computer.
  private static func policy(style: String, script: String) -> String {
    [
      "default-src 'none'", "script-src 'sha256-\(SHA256.base64(of: script))'",
      "style-src 'sha256-\(SHA256.base64(of: style))'", "media-src blob:", "base-uri 'none'",
      "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// A template with every `{{name}}` replaced; what is put in is not looked through again.
  private static func filled(_ template: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = Substring(template)
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      result += rest[..<open.lowerBound]
      result += values[String(rest[open.upperBound..<close.lowerBound])] ?? ""
      rest = rest[close.upperBound...]
    }
    return result + rest
  }
}

/// The page's own files, which stand in `Page` and are built into the program.
enum PageAssets {
  /// The skeleton of the page, with a `{{name}}` where something is put in.
  static var template: String { text(PackageResources.page_html) }

  /// The style sheet.
  static var style: String { "\n" + text(PackageResources.page_css) }

  /// All scripts as one, closed off from the page's global names.
  static var script: String {
    let parts = scripts.map { text($0) }
    return "\n(() => {\n'use strict';\n\n" + parts.joined(separator: "\n") + "})();\n"
  }

  /// The scripts in the order in which they build on each other.
  private static var scripts: [[UInt8]] {
    [
      PackageResources.recording_js, PackageResources.track_js, PackageResources.csv_js,
      PackageResources.history_js, PackageResources.palette_js, PackageResources.figure_js,
      PackageResources.window_js, PackageResources.timeline_js, PackageResources.strips_js,
      PackageResources.video_js, PackageResources.autosave_js, PackageResources.files_js,
      PackageResources.keys_js, PackageResources.panel_js, PackageResources.app_js,
      PackageResources.commands_js, PackageResources.input_js, PackageResources.start_js,
    ]
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Base64 of RFC 4648, section 4, with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of whole numbers, each in little-endian bytes: what typed arrays of a browser read.
  static func text<Number: FixedWidthInteger>(of numbers: [Number]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
    for number in numbers {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return text(ofBytes: bytes)
  }

  /// The text of bytes.
  static func text(ofBytes bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
      }
      for place in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * place)) & 63
        text.append(place <= count ? alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// SHA-256 of FIPS 180-4, for the content policy of pages.
///
/// Pages are a few ten thousand bytes and hashed once, so this is plain and not fast.
enum SHA256 {
  /// The digest of a text's UTF-8 bytes, in base64: what a content policy names.
  static func base64(of text: String) -> String {
    Base64.text(ofBytes: digest(of: Array(text.utf8)))
  }

  /// The 32 bytes of the digest.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state = initial
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  /// The message, a one bit, zeros, and its length in bits: a multiple of 64 bytes.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    return padded
  }

  /// One round of the hash over 64 bytes; `v` is a...h of the standard.
  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    let words = schedule(block)
    var v = state
    for (word, constant) in zip(words, constants) {
      let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
      let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
      let mixed = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)
      let first = v[7] &+ mixed &+ choice &+ constant &+ word
      let second = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) &+ majority
      v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in state.indices { state[index] &+= v[index] }
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    let bytes = Array(block)
    var words = (0..<16).map { index in
      bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turn(early, 7) ^ turn(early, 18) ^ (early >> 3)
      let second = turn(late, 17) ^ turn(late, 19) ^ (late >> 10)
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    return words
  }

  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits behind the point of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  /// The same of the square roots of the first eight.
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
}
