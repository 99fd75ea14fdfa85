import Foundation
import Testing

/// The page of `planklab thresholds`: its engine runs in node where that is installed, and in a
/// browser in `scripts/prove-pages thresholds_page`.
@Suite("The thresholds page")
struct ThresholdsPageTests {
  /// Settings that move every parameter of a detector, the hold and the debounce lengths too.
  static let settings: [(detector: String, values: [String: Double])] = [
    ("gravity", [:]),
    (
      "gravity",
      [
        "horizontal_ratio": 0.4321, "side_rise": 0.11, "reverse_cosine": 0.47, "elbow_split": 133.7,
        "sag": 0.021, "pike": 0.0333, "plank_frames": 4, "form_frames": 66, "hold_seconds": 0.1,
      ]
    ),
    ("gravity", ["hold_seconds": 0, "plank_frames": 2]),
    ("scaled", ["sag_fraction": 0.01, "side_rise_fraction": 0.05, "hold_seconds": 10]),
    (
      "coach",
      [
        "coach_knee_angle": 141.5, "coach_body_angle": 150, "coach_side_roll": 30,
        "coach_forearm_verticality": 0.71, "coach_sag_angle": 169.25, "plank_frames": 9,
      ]
    ),
  ]

  static let hasNode = (try? Program.shell("node --version"))?.status == 0

  @Test(
    "The page counts what `evaluate --set` counts",
    .enabled(if: hasNode, "needs node"), arguments: settings.indices)
  func equality(index: Int) throws {
    let (detector, values) = Self.settings[index]
    let workspace = try Workspace()
    let page = workspace.path("page.html")
    try Program.run(
      "thresholds", Program.scripted, "--detector", detector, "--html", page
    ).expect(0)
    let json = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    let counted = try Program.shell(
      "node scripts/browser/thresholds_counts.mjs '\(page)' '\(json)'"
    ).expect(0)
    let told = try Program.run(
      ["evaluate", Program.scripted, "--detector", detector, "--format", "json"]
        + values.flatMap { ["--set", "\($0.key)=\($0.value)"] }
    ).expect(0)
    let shown = try JSONValue(counted.output)
    let evaluation = try JSONValue(told.output)["result"]
    for stream in ["plank", "form"] {
      let counts = evaluation["streams", stream, "counts"]
      #expect(shown[stream, "frames"].numbers == counts["confusion", "rows"].numbers)
      #expect(
        shown[stream, "determined"].numbers
          == counts["frames", "scored_determined_frames"].numbers)
      #expect(
        shown[stream, "transitions"].numbers
          == counts["stability", "predicted_transitions"].numbers)
      for name in [
        "accuracy", "balanced_accuracy", "f1_macro", "hit_rate", "detection_latency_p50_s",
        "detection_latency_p90_s",
      ] {
        Self.expectEqual(
          shown[stream, "metrics", name].numbers,
          evaluation["metrics", "\(stream).\(name)"].numbers)
      }
    }
  }

  @Test("The committed WebAssembly is what the kernel compiles to")
  func kernel() throws {
    try Program.shell("scripts/build-thresholds-kernel --check").expect(0)
  }

  @Test("A debounce that has no slider is refused with a remedy")
  func debounce() throws {
    let workspace = try Workspace()
    let file = try workspace.write(
      """
      {"format": "planklab-thresholds", "schema_version": 1, "detector": "gravity",
       "debounce": "dwell:enter=0.3s", "parameters": {}}
      """, to: "t.json")
    try Program.run(
      "thresholds", Program.scripted, "--parameters", file, "--html", workspace.path("page.html")
    ).expect(64, errors: "plank_frames")
  }

  private static func expectEqual(_ left: [Double], _ right: [Double]) {
    #expect(left.count == right.count)
    for (one, other) in zip(left, right) { #expect(abs(one - other) <= 1e-12) }
  }

  private struct JSONValue {
    private let value: Any?

    init(_ text: String) throws {
      value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    private init(value: Any?) { self.value = value }

    subscript(path: String...) -> JSONValue {
      JSONValue(value: path.reduce(value) { ($0 as? [String: Any])?[$1] })
    }

    var numbers: [Double] {
      if let list = value as? [Any] { return list.flatMap { JSONValue(value: $0).numbers } }
      return (value as? Double).map { [$0] } ?? []
    }
  }
}
