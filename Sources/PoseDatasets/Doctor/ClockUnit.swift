import PoseModel

/// The unit of a clock that counts, by its name and by its steps.
struct ClockUnit {
  /// Of cameras and detectors, per second.
  static let usualRates = 5.0...130
  private static let cameraRates: [Double] = [15, 24, 25, 30, 48, 50, 60, 90, 100, 120, 200, 240]
  /// Rates that are still believed where the name says the unit.
  private static let possibleRates = 0.5...250

  enum Evidence: Hashable {
    case name
    case steps
    /// Neither the name nor the steps say it.
    case nothing
    case file
  }

  private(set) var unit = TableMap.Time.Unit.s
  private(set) var timescale: Double?
  private(set) var evidence = Evidence.nothing
  private(set) var others: [String] = []
  let step: Double

  var rate: Double { 1 / (step * (timescale.map { 1 / $0 } ?? unit.seconds ?? 1)) }
  var isUsual: Bool { Self.usualRates.contains(rate) }
  /// Whether it is a rate at which cameras record, to 2 %.
  var isOfCameras: Bool { Self.cameraRates.contains { (rate / $0 - 1).magnitude < 0.02 } }

  init?(
    _ values: [Double], name: ClockName, usual: TableMap.Time.Unit?, timescale: Double?
  ) {
    guard let step = ClockGrowth(values).steps.median, let first = values.first else { return nil }
    self.step = step
    if let timescale, Self.usualRates.contains(timescale / step) {
      (self.timescale, evidence) = (timescale, .file)
      return
    }
    let bySteps = Self.unit(values, step: step)
    if let named = name.unit ?? usual {
      (unit, evidence) = (named, name.unit == nil ? .nothing : .name)
      guard let bySteps, bySteps != named else { return }
      if name.unit != nil, Self.possibleRates.contains(rate) { return }
      if name.unit != nil { others = ["\(named.rawValue), as the name says"] }
      (unit, evidence) = (bySteps, .steps)
      return
    }
    if let parts = Self.stamps(first, step: step, name) {
      (self.timescale, evidence) = (parts, .steps)
      others = bySteps.map { [$0.rawValue] } ?? []
    } else if let bySteps {
      (unit, evidence) = (bySteps, .steps)
    }
  }

  private static func unit(_ values: [Double], step: Double) -> TableMap.Time.Unit? {
    // Days since 1900 or a century nearby: a frame is a few millionths of them.
    let isDay = values.allSatisfy { (20_000...800_000).contains($0) }
    if isDay, possibleRates.contains(1 / (step * 86_400)) { return .days }
    guard values.count >= ClockSurvey.fewestTimes, let found = TimeUnit(ofStep: step) else {
      return nil
    }
    return TableMap.Time.Unit.allCases.first { $0.time == found && $0 != .frames }
  }

  /// Parts of a second of codecs (90 kHz), and of .NET and Windows (100 ns since the year 1 or 1601).
  private static func stamps(_ first: Double, step: Double, _ name: ClockName) -> Double? {
    let isTick = (6.2e17...6.7e17).contains(first) || (1.25e17...1.45e17).contains(first)
    if isTick, usualRates.contains(1e7 / step) { return 1e7 }
    let isWhole = step == step.rounded()
    let bySteps = TimeUnit(ofStep: step)?.seconds.map { 1 / (step * $0) }
    let isExplained = bySteps.map(usualRates.contains) ?? false
    return name.isOfStamps && isWhole && !isExplained && usualRates.contains(90_000 / step)
      ? 90_000 : nil
  }
}
