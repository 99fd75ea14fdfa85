internal import Platform

enum RelativeAddress {
  /// Percent-encoded; starts with `./` or `../`, so that no name passes for a scheme or host.
  static func text(of file: String, from page: String) throws -> String {
    let target = try parts(of: file)
    let folder = try parts(of: page).dropLast()
    let shared = zip(target.dropLast(), folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    let start = up.isEmpty ? ["."] : up
    return (start + target.dropFirst(shared).map(encoded)).joined(separator: "/")
  }

  private static func parts(of path: String) throws -> [String] {
    try OutputFile.standardized(path).split(separator: "/").map(String.init)
  }

  private static func encoded(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return name.utf8.reduce(into: "") { text, byte in
      if unreserved.contains(byte) {
        text.append(Character(UnicodeScalar(byte)))
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
}
