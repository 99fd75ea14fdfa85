internal import Evaluation

/// Colors of curves: one hue a kind of filter, from light to dark where it has several curves.
struct SmootherPalette {
  private static let hues: [String: [String]] = [
    "none": ["#1f2933"],
    "moving-average": ["#0967d2"],
    "median": ["#147d64"],
    "hampel": ["#8d6e00"],
    "ema": ["#7c3aed"],
    "butterworth": ["#b83280"],
    "kalman": ["#0e9aa7"],
    "ml-kit": ["#6b4423"],
    "median + ema": ["#5f8a1f"],
    "one-euro": ["#f9a08b", "#ef5b3c", "#ba2505", "#610316", "#ff9b00", "#ff1f8f"],
    "holt": ["#f7c948", "#de911d", "#a35200"],
    "savitzky-golay": ["#63b3ed", "#0b3d77"],
  ]
  private static let others = ["#52606d", "#4c63b6", "#a368fc", "#2680c2", "#b44d12"]

  private var used: [String: Int] = [:]

  /// The color of the next curve of a point's kind; of what looks ahead always gray.
  mutating func color(_ point: SmootherPoint) -> String {
    guard point.isCausal else { return "#9aa5b1" }
    let hues = Self.hues[point.kind] ?? Self.others
    let key = Self.hues[point.kind] == nil ? "" : point.kind
    let index = used[key, default: 0]
    if point.isTuned { return hues[min(2, hues.count / 2)] }
    used[key] = index + 1
    return hues[index % hues.count]
  }
}
