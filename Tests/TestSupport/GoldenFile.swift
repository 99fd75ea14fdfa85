import Foundation

/// A committed file with the values that a published implementation gave (`scripts/oracles`).
package enum GoldenFile {
  private struct Cases<Case: Decodable>: Decodable {
    let cases: [Case]
  }

  /// The content of a file, by its path from the folder of tests; its keys are in snake case.
  package static func read<Content: Decodable>(
    _ path: String, as type: Content.Type
  ) throws -> Content {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(contentsOf: Repository.file("Tests/" + path)))
  }

  /// The cases of a file; none if it cannot be read, which a test of each file notices.
  package static func cases<Case: Decodable>(_ path: String, of type: Case.Type) -> [Case] {
    (try? read(path, as: Cases<Case>.self))?.cases ?? []
  }
}
