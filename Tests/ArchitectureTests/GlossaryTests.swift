import Foundation
import Testing

/// The words that the program prints, against docs/glossary.md.
@Suite("The glossary")
struct GlossaryTests {
  /// The terms that the glossary defines, in lower case: `cluster t, BCa` are two.
  private static let defined = Result {
    try Sources.text("docs/glossary.md").matches(of: /(?m)^\| ([^|]+) \|/)
      .flatMap { $0.1.split(separator: ", ") }
      .map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
      .filter { $0 != "word" && !$0.hasPrefix("---") }
  }

  /// What the program prints: the texts between quotes in the sources of its commands.
  ///
  /// Keys of JSON, flags and names of metrics are no sentences and are left out.
  private static let printed = Result {
    var texts: [String] = []
    for target in ["PlankBench", "Evaluation"] {
      for file in try Sources.swiftFiles(of: target) {
        for line in try Sources.text(file).split(separator: "\n")
        where !line.drop(while: { $0 == " " }).hasPrefix("//") {
          texts += line.matches(of: /"([^"]*)"/).map { String($0.1) }
        }
      }
    }
    return texts.filter { !$0.contains("_") }.joined(separator: "\n").lowercased()
  }

  /// Terms of statistics, signals and this project that a reader may not know, and the row that
  /// defines each.
  static let terms: [(printed: String, row: String)] = [
    ("holm", "holm's method"), ("sign flip", "sign flip"), ("sign-flip", "sign flip"),
    ("fold", "fold"), ("standard error", "standard error"), ("kappa", "kappa"),
    ("excess", "excess transitions"), ("colored", "colored noise"), ("dwell", "dwell"),
    ("hysteresis", "hysteresis"), ("hit rate", "hit rate"), ("cliff", "cliff"),
    ("plateau", "plateau"), ("flicker", "flicker"), ("jitter", "jitter"), ("latency", "latency"),
    ("lag", "lag"), ("group delay", "group delay"), ("white gain", "white gain"),
    ("overshoot", "overshoot"), ("rms step", "rms step"), ("robust spread", "robust spread"),
    ("jerk", "jerk"), ("sparc", "sparc"), ("ldlj", "ldlj"), ("lag-1", "lag-1"), ("hf", "hf"),
    ("cluster t", "cluster t"), ("bca", "bca"), ("jackknife", "jackknife"),
    ("resample", "resample"), ("macro f1", "macro f1"), ("balanced", "balanced accuracy"),
    ("event f1", "event f1"), ("precision", "precision"), ("recall", "recall"), ("p50", "p50"),
    ("p90", "p90"), ("fragment", "fragment"), ("onset", "onset"), ("censored", "censored"),
    ("observed", "observed start"), ("undetermined", "undetermined frame"),
    ("determined", "determined frame"), ("no evidence", "no evidence"), ("optimism", "optimism"),
    ("knife edge", "knife edge"), ("shard", "shard"), ("degenerate", "degenerate cell"),
    ("margin", "margin"), ("held out", "held out"), ("held-out", "held out"), ("source", "source"),
    ("subject", "subject"), ("split", "split"), ("seed", "seed"), ("raw label", "raw label"),
    ("baseline", "baseline"), ("constraint", "constraint"), ("tolerance", "tolerance"),
    ("debounce", "debounce"), ("dropout", "dropout"), ("grade", "grade"), ("causal", "causal"),
    ("azimuth", "azimuth"), ("polar", "polar"), ("ribbon", "ribbon"), ("power", "power"),
    ("pooled", "pooled"), ("false transition", "false transition"), ("reverse", "reverse plank"),
    ("sag", "sag"), ("pike", "pike"), ("aligned", "aligned"), ("allan", "allan deviation"),
    ("matthews", "matthews correlation"), ("starting point", "starting point"),
    ("decided", "decided"), ("points", "point"),
    ("calibration loop", "calibration loop"), ("pilot", "pilot"), ("anchor", "anchor"),
    ("false alarm", "false alarm"), ("alike", "all alike"), ("rounds", "round"),
    ("wrong change", "wrong change"), ("beyond chance", "beyond chance"),
  ]

  @Test("A term that the program prints has a row", arguments: terms)
  func rows(printed: String, row: String) throws {
    guard try Self.printed.get().contains(printed) else { return }
    #expect(try Self.defined.get().contains(row), "docs/glossary.md does not define \(row)")
  }

  @Test("Most of the terms are printed, so that the list is no relic")
  func printedTerms() throws {
    let text = try Self.printed.get()
    let count = Self.terms.count { text.contains($0.printed) }
    #expect(count * 10 >= Self.terms.count * 8)
  }

  @Test("Every row has a meaning, and no two rows stand for one word in one section")
  func unique() throws {
    for section in try Sources.text("docs/glossary.md").components(separatedBy: "\n## ") {
      let rows = section.matches(of: /(?m)^\| ([^|]+) \| ([^|]+) \|$/)
      let words = rows.flatMap { $0.1.split(separator: ", ") }
      #expect(Set(words).count == words.count, "\(section.prefix(20))")
      #expect(rows.allSatisfy { $0.2.count > 3 || $0.2 == "---" })
    }
  }
}
