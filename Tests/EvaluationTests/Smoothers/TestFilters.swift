import Evaluation

/// Smoothers whose lag is known, written plainly.
enum TestFilters {
  /// Passes everything on, some frames later.
  static func delay(_ frames: Int) -> SignalFilter {
    { _, values in values.indices.map { values[max(0, $0 - frames)] } }
  }

  /// The mean of the last frames.
  static func movingAverage(_ count: Int) -> SignalFilter {
    { _, values in
      values.indices.map { index in
        let window = values[max(0, index - count + 1)...index]
        return window.reduce(0, +) / Double(window.count)
      }
    }
  }

  /// y += alpha (x - y).
  static func exponential(_ alpha: Double) -> SignalFilter {
    { _, values in
      var state = values.first ?? 0
      return values.map { value in
        state += alpha * (value - state)
        return state
      }
    }
  }

  /// The median of the last frames, an odd number.
  static func median(_ count: Int) -> SignalFilter {
    { _, values in
      values.indices.map { index in
        let window = values[max(0, index - count + 1)...index].sorted()
        return window[window.count / 2]
      }
    }
  }
}
