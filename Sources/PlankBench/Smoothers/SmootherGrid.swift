internal import PlankDetection
internal import Tuning

/// Windows are in seconds, so that they are equally long at every frame rate.
struct SmootherGrid {
  struct Variant: Sendable {
    let family: SmootherFamily
    let choice: SmoothingChoice
  }

  let target: SmoothingTarget

  /// By family, then from light to heavy smoothing.
  func variants() throws -> [Variant] {
    var result = [Variant(family: .raw, choice: .none)]
    for (family, texts) in families + Self.curves(.bound, Self.bounds) {
      for text in texts {
        result.append(Variant(family: family, choice: try choice(text)))
      }
    }
    return result
  }

  /// Steps without a target take the grid's.
  func choice(_ text: String) throws -> SmoothingChoice {
    let full = text.split(separator: "+").map {
      $0.contains("@") || $0 == "none" ? String($0) : "\($0)@\(target.rawValue)"
    }.joined(separator: "+")
    do {
      return try SmoothingChoice(text: full)
    } catch {
      throw WorkflowFailure(.usage, "\(text): \(error); `planklab smoothers` lists all")
    }
  }

  /// The smoothers that are tried together with debounce rules: an EMA with time constants of
  /// 0.04, 0.08, 0.15 and 0.3 s, and the one-euro that does best on noise like a phone's.
  ///
  /// The time constant of an EMA is 1 / (2 pi cutoff).
  static let beforeRules =
    ["4", "2", "1.06", "0.53"].map { "ema:cutoff=\($0)Hz" } + ["one-euro:minCutoff=0.8Hz,beta=0.5"]

  private static let windows = ["0.07", "0.1", "0.17", "0.24", "0.3", "0.44", "0.57", "0.84"]
  private static let cutoffs = ["9", "6", "4", "2.7", "1.8", "1.2", "0.8", "0.5", "0.3"]

  private static func curves(
    _ origin: SmootherFamily.Origin, _ lists: [(String, [String])]
  ) -> [(SmootherFamily, [String])] {
    lists.map { (SmootherFamily(origin: origin, name: $0), $1) }
  }

  private var families: [(SmootherFamily, [String])] {
    var families: [(String, [String])] = [
      ("moving-average", Self.windows.map { "moving-average:seconds=\($0)s" }),
      ("median", Self.windows.map { "median:seconds=\($0)s" }),
      ("hampel", ["0.17", "0.3", "0.5"].map { "hampel:seconds=\($0)s" }),
      ("ema", Self.cutoffs.map { "ema:cutoff=\($0)Hz" }),
      ("butterworth", Self.cutoffs.map { "butterworth:cutoff=\($0)Hz" }),
      (
        "kalman",
        ["20", "2", "0.2", "0.02", "0.002", "0.0002", "0.00002"].map {
          "kalman:processNoise=\($0)"
        }
      ),
      ("ml-kit", ["3", "5", "10", "20"].map { "ml-kit:frames=\($0)" }),
      ("median + ema", Self.cutoffs.map { "median:seconds=0.17s+ema:cutoff=\($0)Hz" }),
    ]
    families += ["0", "0.5", "2", "8"].map { beta in
      (
        "one-euro beta \(beta)",
        Self.cutoffs.dropFirst().map { "one-euro:minCutoff=\($0)Hz,beta=\(beta)" }
      )
    }
    let holt = ["0.02", "0.1", "0.3"].map { beta in
      (
        "holt beta \(beta)",
        ["0.7", "0.5", "0.35", "0.25", "0.15", "0.08"].map { "holt:alpha=\($0),beta=\(beta)" }
      )
    }
    let polynomials = ["1", "2"].map { degree in
      (
        "savitzky-golay \(degree)",
        ["0.17", "0.3", "0.44", "0.57", "0.84", "1.2"].map {
          "savitzky-golay:seconds=\($0)s,degree=\(degree)"
        }
      )
    }
    return Self.curves(.grid, families) + Self.curves(.published, Self.shipped)
      + Self.curves(.grid, holt + polynomials)
  }

  /// Published smoothers; ML Kit's window of 10 is in the grid.
  ///
  /// MMPose's are per frame and pixel and would be meaningless in meters.
  /// - Source: Casiez, Roussel and Vogel (2012), CHI, the defaults of the reference code;
  /// MediaPipe's pose graph, whose speeds are in body sizes, here in meters.
  private static let shipped: [(String, [String])] = [
    ("Casiez's one-euro", ["one-euro:minCutoff=1Hz,beta=0"]),
    ("MediaPipe's one-euro", ["one-euro:minCutoff=0.1Hz,beta=40"]),
  ]

  private static let bounds: [(String, [String])] = [
    ("gaussian (offline)", ["0.033", "0.067", "0.1", "0.2"].map { "gaussian:deviation=\($0)s" }),
    ("rts (offline)", ["2", "0.02", "0.0002"].map { "rts:processNoise=\($0)" }),
  ]
}

extension SmoothingChoice {
  func moved(to target: SmoothingTarget) throws -> SmoothingChoice {
    switch self {
    case .offline(let settings, _): return .offline(settings, target)
    case .causal(let strategy):
      do {
        return .causal(
          try SmoothingStrategy(
            strategy.steps.map { SmoothingStep(settings: $0.settings, on: target) }))
      } catch {
        throw WorkflowFailure(.usage, "\(text) on \(target.rawValue): \(error)")
      }
    }
  }
}
