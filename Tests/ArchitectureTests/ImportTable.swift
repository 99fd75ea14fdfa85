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
  /// What math, files or time need in the bench: `LibC` is the C library of any platform.
  static let platform: Set<String> = ["LibC", "Synchronization"]
  /// The imports allowed where text, dates or files are handled: all of Foundation, or the part
  /// that keeps a static program small.
  static let foundation: Set<String> = ["Foundation", "Essentials"]

  /// Every Swift target with the modules that it may import.
  static let allowed: [String: Set<String>] = [
    "PoseModel": libraries.union(["PoseModel"]),
    "PlankDetection": libraries.union(["PoseModel"]),
    "PoseRecording": libraries.union(["PoseModel"]),
    "LibC": ["Glibc", "Musl", "Darwin"],
    "Essentials": ["Foundation", "FoundationEssentials"],
    "PageDetector": ["PlankDetection", "PoseModel"],
    "PoseDatasets": platform.union(foundation).union([
      "PoseModel", "PoseRecording", "Yams", "CYaml", "CZlib", "CLibcrypto",
      "CryptoKit",
    ]),
    "Parallelism": ["LibC", "Synchronization"],
    "Statistics": ["CGSL"],
    "Evaluation": ["PoseModel", "Statistics"],
    "PoseSynthesis": platform.union(["PoseModel", "Statistics"]),
    "ParameterTuning": platform.union([
      "PlankDetection", "Evaluation", "Parallelism", "PoseModel", "Statistics", "CSweepKernels",
    ]),
    "RunStore": ["Essentials", "ParameterTuning", "Evaluation", "PoseModel", "GRDB"],
    "PlankBench": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseRecording", "PoseDatasets",
      "PoseSynthesis", "Evaluation", "Parallelism", "Statistics", "ParameterTuning", "RunStore",
      "PageDetector", "CPages",
      "ArgumentParser",
    ]).union(movies),
    "planklab": ["PlankBench"],
    "planklab-benchmarks": platform.union(foundation).union([
      "PoseModel", "PlankDetection", "PoseDatasets", "Evaluation", "ParameterTuning",
      "ArgumentParser",
    ]),
  ]

  /// Targets that hold C or C++ and no Swift.
  static let doorsToC: Set<String> = [
    "CGSL", "CZlib", "CLibcrypto", "CSweepKernels",
    "CPages",
  ]
}
