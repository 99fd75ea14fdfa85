import Foundation
import Testing

/// The manifest as SwiftPM reads it, here and in an app's checkouts.
@Suite("The package as apps see it")
struct AppPackageTests {
  /// The parts of `swift package dump-package` that decide what an app resolves and builds.
  private struct Manifest: Decodable {
    struct Named: Decodable { let name: String }

    let products: [Named]
    let targets: [Named]
    let dependencies: [Dependency]

    struct Dependency: Decodable {}
  }

  @Test("In an app's checkouts there are the three libraries and no dependency")
  func appsSeeLibrariesOnly() throws {
    let manifest = try manifest(in: "checkouts/planklab")
    let libraries = ["PlankDetection", "PoseModel", "PoseRecording"]
    #expect(manifest.products.map(\.name).sorted() == libraries)
    #expect(manifest.targets.map(\.name).sorted() == libraries)
    #expect(manifest.dependencies.isEmpty)
  }

  @Test("Anywhere else there is the bench", arguments: ["planklab", "checkouts/apps/planklab"])
  func peopleSeeTheBench(folder: String) throws {
    let manifest = try manifest(in: folder)
    #expect(manifest.products.contains { $0.name == "planklab" })
    #expect(manifest.targets.contains { $0.name == "ArchitectureTests" })
    #expect(manifest.dependencies.count >= 3)
  }

  /// Reads a copy of the manifest in a folder of a temporary one.
  private func manifest(in folder: String) throws -> Manifest {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    let package = temporary.appendingPathComponent(folder)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Sources.text("Package.swift").write(
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
