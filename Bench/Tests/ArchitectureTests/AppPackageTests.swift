import Foundation
import TestSupport
import Testing

/// The manifests as SwiftPM reads them: what an app resolves, and what the bench is.
@Suite("The package as apps see it")
struct AppPackageTests {
  /// The parts of `swift package dump-package` that decide what is resolved and built.
  private struct Manifest: Decodable {
    struct Named: Decodable { let name: String }

    let products: [Named]
    let targets: [Named]
    let dependencies: [Dependency]

    struct Dependency: Decodable {}
  }

  @Test(
    "Wherever it lies, the package is three libraries without a dependency",
    arguments: [
      "checkouts/planklab", "Packages/planklab", ".build/registry/downloads/a/planklab/0.1.0",
      "any",
    ])
  func appsSeeLibrariesOnly(folder: String) throws {
    let manifest = try manifest("Package.swift", in: folder)
    let libraries = ["PlankDetection", "PoseModel", "PoseRecording"]
    #expect(manifest.products.map(\.name).sorted() == libraries)
    #expect(manifest.targets.map(\.name).sorted() == libraries)
    #expect(manifest.dependencies.isEmpty)
  }

  @Test("The manifest of what apps link reads nothing of where or how it is built")
  func isUnconditional() throws {
    #expect(try !Repository.text("Package.swift").contains("Context"))
  }

  @Test("The bench has the program and the tests, and depends on what apps link")
  func bench() throws {
    let manifest = try manifest("Bench/Package.swift", in: "any/Bench")
    #expect(manifest.products.contains { $0.name == "planklab" })
    #expect(manifest.targets.contains { $0.name == "ArchitectureTests" })
    #expect(manifest.dependencies.count == 4)
  }

  /// Reads a copy of a manifest in a folder of a temporary one.
  private func manifest(_ path: String, in folder: String) throws -> Manifest {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    let package = temporary.appendingPathComponent(folder)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Repository.text(path).write(
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
