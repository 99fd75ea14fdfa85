extension ConfusionMatrix<Double> {
  /// The answer that would be right more often if it were always given, with its share of the time,
  /// 0...1; nil if there is none, or fewer than two classes are true.
  package var betterConstant: (label: String, share: Double)? {
    let shares = labels.indices.map { truthTotal($0) / total }
    guard shares.count(where: { $0 > 0 }) > 1,
      let most = shares.indices.max(by: { shares[$0] < shares[$1] }), right / total < shares[most]
    else { return nil }
    return (labels[most], shares[most])
  }

  /// By the mean recall of the true classes: accuracy alone does not say where one class fills most
  /// of the time.
  package var isNoBetterThanChance: Bool {
    let recalls = labels.indices.filter { truthTotal($0) > 0 }.map {
      self[$0, $0] / truthTotal($0)
    }
    return recalls.reduce(0, +) <= 1 + 1e-9 * Double(recalls.count)
  }
}
