import Foundation
import TestSupport
import Testing

@Suite("The package as apps see it")
struct AppPackageTests {
  /// The parts of `swift package dump-package` that decide what is resolved and built.
  private struct Manifest: Decodable {
    struct Product: Decodable {
      let name: String
      let targets: [String]
    }
    struct Target: Decodable {
      let name: String
      let dependencies: [Dependency]
      let settings: [Setting]
    }
    struct Setting: Decodable { let kind: [String: Values] }
    /// What a setting says differs by its kind; only the kind counts here.
    struct Values: Decodable { init(from decoder: any Decoder) {} }
    struct Trait: Decodable {
      let name: String
      let enabledTraits: [String]
    }
    /// `{"product": [name, package, aliases, condition]}`, or `{"byName": [name, condition]}`.
    struct Dependency: Decodable {
      struct Condition: Decodable { let traits: [String]? }
      struct Part: Decodable {
        let text: String?
        let traits: [String]?

        init(from decoder: any Decoder) throws {
          text = try? decoder.singleValueContainer().decode(String.self)
          traits = try? decoder.singleValueContainer().decode(Condition.self).traits
        }
      }
      let parts: [String: [Part?]]
      var name: String { parts.values.first?.first??.text ?? "" }
      var isProduct: Bool { parts["product"] != nil }
      var traits: [String] {
        parts.values.flatMap { $0 }.compactMap { $0?.traits }.flatMap { $0 }
      }

      init(from decoder: any Decoder) throws {
        parts = try decoder.singleValueContainer().decode([String: [Part?]].self)
      }
    }

    let products: [Product]
    let targets: [Target]
    let traits: [Trait]

    func reached(by product: Product) -> [Target] {
      var reached: Set<String> = []
      var waiting = product.targets
      while let name = waiting.popLast() {
        guard reached.insert(name).inserted else { continue }
        waiting += targets.first { $0.name == name }?.dependencies.map(\.name) ?? []
      }
      return targets.filter { reached.contains($0.name) }
    }
  }

  private static let libraries = ["PlankDetection", "PoseModel", "PoseRecording"]

  @Test(
    "Wherever the package lies, a library builds the three targets that apps link, without unsafe flags",
    arguments: [
      "checkouts/planklab", "Packages/planklab", ".build/registry/downloads/a/planklab/0.1.0",
      "any",
    ])
  func librariesReachOnlyThemselves(folder: String) throws {
    let manifest = try manifest(in: folder)
    for name in Self.libraries {
      let product = try #require(manifest.products.first { $0.name == name })
      let reached = manifest.reached(by: product)
      #expect(reached.map(\.name).allSatisfy(Self.libraries.contains))
      #expect(!reached.contains { $0.dependencies.contains(where: \.isProduct) })
      #expect(!reached.flatMap(\.settings).contains { $0.kind["unsafeFlags"] != nil })
    }
    #expect(manifest.products.contains { $0.name == "planklab" })
  }

  @Test("Every product of another package is behind the trait Bench, which is on by default")
  func dependenciesHaveTheTrait() throws {
    let manifest = try manifest(in: "any")
    #expect(manifest.traits.contains { $0.name == "default" && $0.enabledTraits == ["Bench"] })
    let foreign = manifest.targets.flatMap(\.dependencies).filter(\.isProduct)
    #expect(Set(foreign.map(\.name)) == ["ArgumentParser", "GRDB", "Yams"])
    for dependency in foreign { #expect(dependency.traits == ["Bench"], "\(dependency.name)") }
  }

  private func manifest(in folder: String) throws -> Manifest {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    let package = temporary.appendingPathComponent(folder)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Repository.text("Package.swift").write(
      to: package.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
    let swift = Process()
    swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    swift.arguments = ["swift", "package", "--package-path", package.path, "dump-package"]
    let output = Pipe()
    swift.standardOutput = output
    try swift.run()
    let json = output.fileHandleForReading.readDataToEndOfFile()
    swift.waitUntilExit()
    try #require(swift.terminationStatus == 0)
    return try JSONDecoder().decode(Manifest.self, from: json)
  }
}
