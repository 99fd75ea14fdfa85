import Foundation

/// A committed file of cases with the values that a published implementation gave.
enum GoldenFile {
  /// Reads the cases of a file in `Goldens`.
  static func cases<Case: Decodable>(_ name: String, of type: Case.Type) -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/\(name)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let content = try? decoder.decode(Content<Case>.self, from: Data(contentsOf: file))
    return content?.cases ?? []
  }

  private struct Content<Case: Decodable>: Decodable {
    let cases: [Case]
  }
}
