/// Writes `dataset.yaml` files as `DatasetManifest` reads them.
package enum DatasetManifestWriter {
  /// The text of a manifest; fields that are unknown are left out, tags are sorted.
  package static func text(of manifest: DatasetManifest) -> String {
    var text = ""
    for (key, value) in [
      ("name", manifest.name), ("description", manifest.description),
      ("license", manifest.license),
    ] {
      if let value { text += "\(key): \(scalar(value))\n" }
    }
    text += manifest.sequences.isEmpty ? "sequences: []\n" : "sequences:\n"
    for entry in manifest.sequences { text += lines(of: entry) }
    return text
  }

  private static func lines(of entry: SequenceEntry) -> String {
    var text = "  - poses: \(scalar(entry.posesPath))\n"
    for (key, value) in [
      ("labels", entry.labelsPath), ("subject", entry.subject), ("split", entry.split),
      ("starts", entry.startsMid ? "mid" : nil),
    ] {
      if let value { text += "    \(key): \(scalar(value))\n" }
    }
    guard !entry.tags.isEmpty else { return text }
    let tags = entry.tags.sorted { $0.key < $1.key }
    let pairs = tags.map { "\(scalar($0.key)): \(scalar($0.value))" }
    return text + "    tags: {\(pairs.joined(separator: ", "))}\n"
  }

  /// A text as YAML: plain where nothing could be mistaken, else in double quotes.
  private static func scalar(_ text: String) -> String {
    let plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-".utf8
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let startsPlain = text.utf8.first.map { byte in
      (0x41...0x5A).contains(byte & ~0x20)
    }
    if startsPlain == true, text.utf8.allSatisfy({ plainBytes.contains($0) }),
      !reserved.contains(text.lowercased())
    {
      return text
    }
    return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    // Control characters, line separators and the byte-order mark.
    case "\0"..."\u{1F}", "\u{7F}"..."\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}":
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(Character(scalar))
    }
  }
}
