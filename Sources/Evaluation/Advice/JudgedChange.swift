internal import Statistics

/// The distribution of the mean gain of new people.
///
/// A Bayesian bootstrap draws weights for the people and for one added person. The added person
/// changes as much as the others (at least by `least`), in an unknown direction, so n people who
/// gain alike leave a chance of 1 / 2^(n + 1) of a loss. In a class with few people, the draws
/// spread like Student's t, because the plain bootstrap of m people is too narrow by
/// sqrt((m - 1) / (m + 1)). A chosen gain or loss is moved toward zero by two fifths of its
/// bootstrap standard deviation, because a choice exaggerates it.
///
/// Source: Rubin 1981, Annals of Statistics 9:130, for the bootstrap; Kish 1965, Survey Sampling,
/// for the effective number of people.
struct JudgedChange {
  static let draws = 4000
  /// The smallest chance that draws can show: each draw counts twice, because the added person
  /// gains or loses.
  static let leastChance = 1 / Double(2 * draws)
  static let discount = 0.4

  let gain: Double
  let expected: Double
  let low: Double
  let high: Double
  let better: Double
  let effective: Double
  let helped: Int
  let hurt: Int

  init(_ units: [PairedCounts.Unit], _ unit: Advice.Unit, isChosen: Bool, seed: UInt64) {
    let cells = ClassCell.all(units, sign: unit.sign)
    let count = units.count
    let gain = cells.reduce(0) { $0 + $1.share * $1.gain }
    let people = Self.influences(cells, count, gain)
    let squares = people.reduce(0) { $0 + $1 * $1 } / Double(count)
    let most = unit == .points ? 1 : Double.infinity
    let size = min(most, max(unit.least, gain.magnitude, squares.squareRoot()))
    let effective = ClassCell.effective(cells, count)

    let random = RandomStream(seed: seed, purpose: "advice")
    var wide: [Double] = []
    var (mean, sum, squared) = (0.0, 0.0, 0.0)
    wide.reserveCapacity(2 * Self.draws)
    var weights = Array(repeating: 0.0, count: count)
    for _ in 0..<Self.draws {
      for index in weights.indices { weights[index] = random.exponential() }
      let other = random.betaOfOne(effective)
      var (narrow, wider) = (0.0, 0.0)
      for cell in cells {
        let drawn = cell.gain(weights)
        narrow += cell.share * drawn
        wider += cell.share * cell.widened(drawn, random)
      }
      mean += (1 - other) * narrow / Double(Self.draws)
      sum += narrow - gain
      squared += (narrow - gain) * (narrow - gain)
      for sign in [1.0, -1] { wide.append((1 - other) * wider + sign * other * size) }
    }
    let variance = (squared - sum * sum / Double(Self.draws)) / Double(Self.draws)
    let discount = isChosen ? Self.discount : 0
    let loss = min(gain.magnitude, discount * max(0, variance).squareRoot())
    if gain.magnitude - loss < 1e-9 {
      expected = 0
      better = 0.5
      let center = wide.reduce(0, +) / Double(wide.count)
      for index in wide.indices { wide[index] -= center }
    } else {
      let shift = gain > 0 ? loss : -loss
      expected = mean - shift
      for index in wide.indices { wide[index] -= shift }
      better = Double(wide.count { $0 > 0 }) / Double(wide.count)
    }
    let ends = Description.quantiles(wide, at: [0.05, 0.95]) ?? [0, 0]
    // A gain cannot exceed the share that is wrong now, nor a loss the share that is right now.
    let now = cells.reduce(0) { $0 + $1.share * $1.before }
    let (floor, ceiling) = unit == .points ? (-now, 1 - now) : (-Double.infinity, now)
    low = min(max(ends[0], floor), ceiling)
    high = min(max(ends[1], floor), ceiling)
    self.gain = gain
    self.effective = effective
    let own = units.map { unit in
      let parts = unit.amounts.indices.filter { unit.amounts[$0] > 0 }
      return parts.reduce(0) { sum, part in
        sum + (unit.after[part] - unit.before[part]) / unit.amounts[part]
      } / Double(max(parts.count, 1))
    }
    helped = own.count { unit.sign * $0 > 1e-9 }
    hurt = own.count { unit.sign * $0 < -1e-9 }
  }

  static func expected(_ units: [PairedCounts.Unit], _ unit: Advice.Unit) -> Double {
    let cells = ClassCell.all(units, sign: unit.sign)
    let count = Double(units.count)
    let gain = cells.reduce(0) { $0 + $1.share * $1.gain }
    let people = influences(cells, units.count, gain)
    let mean = people.reduce(0, +) / count
    let squares = people.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = count > 1 ? (squares / (count * (count - 1))).squareRoot() : gain.magnitude
    let loss = min(gain.magnitude, discount * error)
    let effective = ClassCell.effective(cells, units.count)
    return gain * effective / (effective + 1) - (gain > 0 ? loss : -loss)
  }

  /// The pseudo-values of the jackknife, one per person.
  private static func influences(_ cells: [ClassCell], _ count: Int, _ gain: Double) -> [Double] {
    guard count > 1 else { return [gain] }
    let without = (0..<count).map { ClassCell.gain(cells, without: $0) }
    let mean = without.reduce(0, +) / Double(count)
    return without.map { gain + Double(count - 1) * (mean - $0) }
  }

  /// The chance of a gain in a new source: the same draws, over sources instead of people.
  static func elsewhere(_ gains: [Double], least: Double, seed: UInt64) -> Double {
    let count = Double(gains.count)
    let mean = gains.reduce(0, +) / count
    let squares = gains.reduce(0) { $0 + $1 * $1 } / count
    let size = max(least, mean.magnitude, squares.squareRoot())
    let random = RandomStream(seed: seed, purpose: "advice.sources")
    var better = 0
    for _ in 0..<draws {
      let other = random.betaOfOne(count)
      var (sum, total) = (0.0, 0.0)
      for gain in gains {
        let weight = random.exponential()
        sum += weight * gain
        total += weight
      }
      for sign in [1.0, -1] where (1 - other) * sum / total + sign * other * size > 0 {
        better += 1
      }
    }
    return Double(better) / Double(2 * draws)
  }
}

private struct ClassCell {
  let source: String
  let share: Double
  let gain: Double
  let before: Double
  private let people: [Int]
  /// The position of each unit in `people`; nil for a unit without time in this class and source.
  private let places: [Int?]
  private let amounts: [Double]
  private let changes: [Double]
  private let freedom: Double
  private let factor: Double
  private let total: Double

  static func all(_ units: [PairedCounts.Unit], sign: Double) -> [ClassCell] {
    let sources = Set(units.map(\.source)).sorted()
    return sources.flatMap { source -> [ClassCell] in
      let own = units.indices.filter { units[$0].source == source }
      let classes = units[0].amounts.indices.filter { part in
        own.contains { units[$0].amounts[part] > 0 }
      }
      return classes.map { part in
        ClassCell(
          units, own.filter { units[$0].amounts[part] > 0 }, part, source, sign,
          share: 1 / Double(sources.count * classes.count))
      }
    }
  }

  private init(
    _ units: [PairedCounts.Unit], _ people: [Int], _ part: Int, _ source: String, _ sign: Double,
    share: Double
  ) {
    self.source = source
    self.share = share
    self.people = people
    var places = [Int?](repeating: nil, count: units.count)
    for (place, person) in people.enumerated() { places[person] = place }
    self.places = places
    amounts = people.map { units[$0].amounts[part] }
    changes = people.map { sign * (units[$0].after[part] - units[$0].before[part]) }
    total = amounts.reduce(0, +)
    gain = changes.reduce(0, +) / total
    before = people.reduce(0) { $0 + units[$1].before[part] } / total
    let squares = amounts.reduce(0) { [total] in $0 + ($1 / total) * ($1 / total) }
    let effective = 1 / squares
    freedom = max(1, effective - 1)
    factor = effective > 1 ? ((effective + 1) / max(effective - 1, 1)).squareRoot() : 1
  }

  func gain(_ weights: [Double]) -> Double {
    var (sum, total) = (0.0, 0.0)
    for (index, person) in people.enumerated() {
      sum += weights[person] * changes[index]
      total += weights[person] * amounts[index]
    }
    return sum / total
  }

  /// Moves a drawn gain away from the observed one, so that the draws spread like Student's t.
  func widened(_ drawn: Double, _ random: RandomStream) -> Double {
    guard people.count > 1 else { return drawn }
    let tail = (freedom / random.chiSquared(freedom: freedom)).squareRoot()
    return gain + factor * tail * (drawn - gain)
  }

  private func gain(without person: Int) -> Double? {
    guard let place = places[person] else { return gain }
    guard people.count > 1 else { return nil }
    let rest = total - amounts[place]
    return (gain * total - changes[place]) / rest
  }

  /// Leaves out a class in which only this person has time.
  ///
  /// A source in which only this person has time counts as 0.
  static func gain(_ cells: [ClassCell], without person: Int) -> Double {
    var bySource: [(source: String, sum: Double, classes: Int)] = []
    for cell in cells {
      if bySource.last?.source != cell.source {
        bySource.append((source: cell.source, sum: 0, classes: 0))
      }
      let last = bySource.count - 1
      guard let rest = cell.gain(without: person) else { continue }
      bySource[last].sum += rest
      bySource[last].classes += 1
    }
    let parts = bySource.map { $0.classes > 0 ? $0.sum / Double($0.classes) : 0 }
    return parts.reduce(0, +) / Double(parts.count)
  }

  /// 1 / the sum of the people's squared shares, each the mean of the shares in all classes and
  /// sources.
  static func effective(_ cells: [ClassCell], _ count: Int) -> Double {
    var shares = Array(repeating: 0.0, count: count)
    for cell in cells {
      for (index, person) in cell.people.enumerated() {
        shares[person] += cell.amounts[index] / cell.total / Double(cells.count)
      }
    }
    return 1 / shares.reduce(0) { $0 + $1 * $1 }
  }
}
