/// A text with the name by which errors speak of it, usually its path.
package struct NamedText: Hashable, Sendable {
  /// The name, for example `history/clips.csv`.
  package let name: String
  /// The content, without a byte-order mark.
  package let text: String

  /// Makes a named text.
  package init(name: String, text: String) {
    self.name = name
    let scalars = text.unicodeScalars
    self.text = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
  }

  /// Reads bytes as UTF-8.
  ///
  /// - Throws: `PoseSourceError.notText` with the line of the first byte that is not UTF-8.
  package init(name: String, bytes: [UInt8]) throws(PoseSourceError) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8; the first repaired byte is where the two part.
    let decoded = Array(text.utf8)
    guard decoded == bytes else {
      let good = zip(bytes, decoded).prefix { $0 == $1 }
      let line = good.count { $0.0 == UInt8(ascii: "\n") } + 1
      throw .notText(SourcePlace(file: name, line: line))
    }
    self.init(name: name, text: text)
  }

  /// The name's last component without its extension, with `-` for what file names should lack.
  var stem: String {
    let file = name.split(separator: "/").last ?? ""
    let end = file.lastIndex(of: ".").flatMap { $0 > file.startIndex ? $0 : nil } ?? file.endIndex
    let stem = file[..<end].map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    return stem.isEmpty ? "unnamed" : String(stem)
  }
}

/// A line of a text.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The text's name.
  package let file: String
  /// The line, from 1.
  package let line: Int

  /// Makes a place.
  package init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The place as compilers write it: `clips.csv:12`.
  package var description: String { "\(file):\(line)" }
}
