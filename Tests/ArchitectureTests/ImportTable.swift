/// What each of our targets may import: this table is the authority on the walls.
enum ImportTable {
  /// The C library of each platform, which the libraries import by its own name.
  ///
  /// `EmbeddedMath` stands for C's math where the library is compiled as Embedded Swift. What an app
  /// expects of its platform stands in `platformFiles` alone.
  static let libraries = appPlatform.union(["Glibc", "Musl", "Darwin", "EmbeddedMath"])
  /// What the libraries take from an app's platform, if it is there.
  static let appPlatform: Set<String> = ["Foundation", "FoundationEssentials", "Vision"]
  /// The files of the libraries that may import it: errors for alerts, file URLs, observations.
  static let platformFiles: Set<String> = [
    "Sources/PoseModel/Foundation/LocalizedErrors.swift",
    "Sources/PlankDetection/Foundation/LocalizedErrors.swift",
    "Sources/PoseRecording/FoundationInterface.swift",
    "Sources/PoseModel/Observations/VisionFrames.swift",
  ]
  /// What one file of `record` takes from Apple's systems; tests compile it with stand-ins, beside
  /// the rest of the target.
  static let movies: Set<String> = [
    "AVFoundation", "CoreGraphics", "CoreMedia", "CoreVideo", "ImageIO", "PlankBench", "Vision",
  ]
  /// What math, files, time and threads need in the bench.
  static let platform: Set<String> = ["Platform", "Synchronization"]

  /// Every Swift target with the modules that it may import.
  static let allowed: [String: Set<String>] = [
    "PoseModel": libraries.union(["PoseModel"]),
    "PlankDetection": libraries.union(["PoseModel"]),
    "PoseRecording": libraries.union(["PoseModel"]),
    "Platform": [
      "Glibc", "Musl", "Darwin", "Foundation", "FoundationEssentials", "Synchronization",
    ],
    "PageDetector": ["PlankDetection", "PoseModel"],
    "PoseDatasets": platform.union([
      "Foundation", "PoseModel", "PoseRecording", "Yams", "CYaml", "CZlib", "CLibcrypto",
      "CryptoKit",
    ]),
    "Statistics": ["CGSL"],
    "Evaluation": ["PoseModel", "Statistics"],
    "PoseSynthesis": platform.union(["PoseModel", "Statistics"]),
    "Tuning": platform.union([
      "PlankDetection", "Evaluation", "PoseModel", "Statistics", "CSweepKernels", "GRDB",
    ]),
    "Reports": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "Statistics",
      "Tuning", "CPages",
    ]),
    "PlankBench": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets", "PoseSynthesis",
      "Evaluation", "Statistics", "Tuning", "Reports", "PageDetector", "CPages", "ArgumentParser",
    ]).union(movies),
    "planklab": ["PlankBench"],
    "planklab-benchmarks": platform.union([
      "Foundation", "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "Tuning",
      "ArgumentParser",
    ]),
  ]

  /// Targets that hold C or C++ and no Swift.
  static let doorsToC: Set<String> = [
    "CGSL", "CZlib", "CLibcrypto", "CSweepKernels",
    "CPages",
  ]
}
