// swift-tools-version: 6.2
import PackageDescription

// What an app links: three libraries that need no other package and no native library. The bench,
// its dependencies and all tests are a package of their own in `Bench`, which depends on this one;
// `swift build --package-path Bench` builds it.
let package = Package(
  name: "PlankLab",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .library(name: "PoseModel", targets: ["PoseModel"]),
    .library(name: "PlankDetection", targets: ["PlankDetection"]),
    .library(name: "PoseRecording", targets: ["PoseRecording"]),
  ],
  targets: [
    .target(name: "PoseModel"),
    .target(name: "PlankDetection", dependencies: ["PoseModel"]),
    .target(name: "PoseRecording", dependencies: ["PoseModel"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
