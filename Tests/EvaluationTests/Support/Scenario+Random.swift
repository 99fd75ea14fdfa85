import Evaluation

extension Scenario {
  /// A random sequence of runs with uneven times, gaps, unscored stretches and dropouts.
  static func random(seed: UInt64, name: String = "random", frames: Int = 120) -> Scenario {
    var random = SplitMix64(seed: seed)
    let truth = runs("nfhlrvnfh.x", frames, &random)
    var scenario = Scenario(truth, name: name)
    scenario.subject = random.unit() < 0.2 ? nil : "s\(random.index(below: 4))"
    scenario.tags = random.unit() < 0.5 ? ["light": random.unit() < 0.5 ? "dim" : "bright"] : [:]
    var time = 100 * random.unit()
    scenario.times = (0..<frames).map { _ in
      time += random.unit() < 0.02 ? 0.9 * random.unit() + 0.1 : 0.02 + 0.05 * random.unit()
      return time
    }
    scenario.weight = nil
    scenario.formTruth = runs("aasp.", frames, &random)
    scenario.plankAnswers = noisy(truth, "nfhlrv", &random)
    scenario.formAnswers = noisy(scenario.formTruth ?? "", "asp", &random)
    scenario.plankDetermined = runs("ddddd-=", frames, &random)
    scenario.formDetermined = runs("ddd-=", frames, &random)
    scenario.missing = random.index(below: 5)
    return scenario
  }

  private static func runs(
    _ letters: String, _ count: Int, _ random: inout SplitMix64
  ) -> String {
    let alphabet = Array(letters)
    var text = ""
    while text.count < count {
      let letter = alphabet[random.index(below: alphabet.count)]
      text += String(repeating: letter, count: 1 + random.index(below: 25))
    }
    return String(text.prefix(count))
  }

  private static func noisy(
    _ truth: String, _ letters: String, _ random: inout SplitMix64
  ) -> String {
    let alphabet = Array(letters)
    return String(
      truth.map { letter in
        alphabet.contains(letter) && random.unit() < 0.85
          ? letter : alphabet[random.index(below: alphabet.count)]
      })
  }
}
