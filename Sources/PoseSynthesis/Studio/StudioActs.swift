import Platform
import PoseModel
import Statistics

enum StudioTask: Hashable, Sendable {
  enum Fault: String, CaseIterable, Hashable, Sendable {
    case none, sag, pike, lumbar, shoulder, knees, flexion
  }

  case plank(Posture, Fault)
  case fatigue(Posture, Fault)
  case flow([Posture])
  case collapse(Posture)
  case moving(Posture, Activity)
  case sets(Posture)
  case negative(Posture)

  /// Lists sag and pike twice, because form labels are about them and they last only a third of a
  /// session.
  static let textbook: [StudioTask] = planks + others + negatives(Posture.textbook)

  static let everyday: [StudioTask] = planks + others + moving + sets + negatives(Posture.allCases)

  static func all(_ program: StudioProgram) -> [StudioTask] {
    program == .textbook ? textbook : everyday
  }

  private static let moving: [StudioTask] = [
    .moving(.high, .shoulderTaps), .moving(.high, .jacks), .moving(.forearm, .jacks),
    .moving(.forearm, .legLifts), .moving(.high, .legLifts),
    .flow([.high, .downwardDog, .high, .downwardDog, .high]),
    .flow([.forearm, .kneeForearmPlank, .forearm]), .flow([.high, .pushUps, .high]),
  ]

  private static let sets: [StudioTask] = [
    .sets(.forearm), .sets(.forearm), .sets(.forearm), .sets(.forearm), .sets(.high), .sets(.high),
    .sets(.high), .sets(.sideLeftElbow), .sets(.sideLeftHand), .sets(.sideRightElbow),
    .sets(.sideRightHand), .sets(.reverse),
  ]

  private static let planks: [StudioTask] = Posture.allCases.filter(\.isPlank).flatMap { posture in
    (Fault.allCases + [.sag, .pike]).filter { $0.applies(to: posture) }.map { .plank(posture, $0) }
  }

  private static let others: [StudioTask] = [
    .fatigue(.forearm, .sag), .fatigue(.high, .sag), .fatigue(.reverse, .sag),
    .fatigue(.forearm, .pike), .fatigue(.sideLeftElbow, .sag), .fatigue(.sideRightHand, .sag),
    .flow([.forearm, .high, .forearm]), .flow([.high, .sideLeftHand, .high, .sideRightHand]),
    .flow([.forearm, .sideRightElbow, .forearm, .sideLeftElbow]), .collapse(.forearm),
    .collapse(.high), .collapse(.reverse),
  ]

  private static func negatives(_ postures: [Posture]) -> [StudioTask] {
    postures.filter { !$0.isPlank }.map { .negative($0) }
  }
}

extension StudioTask.Fault {
  func applies(to posture: Posture) -> Bool {
    switch self {
    case .none, .sag, .pike: true
    case .lumbar, .shoulder, .knees: posture == .forearm || posture == .high
    case .flexion: posture.isSidePlank
    }
  }
}

struct StudioActs {
  let stream: RandomStream
  let subject: SubjectParameters
  let program: StudioProgram

  private var scale: Double { subject.height.value / 1.75 }

  func holds(of task: StudioTask, startsMid: Bool) -> [Hold] {
    var holds = startsMid ? [] : [leadIn(to: task.lead)]
    switch task {
    case .plank(let posture, let fault): holds += plank(posture, fault)
    case .fatigue(let posture, let fault): holds.append(tiring(posture, fault))
    case .flow(let postures):
      holds += postures.map {
        $0.isPlank ? hold($0, seconds: 5...8, hip: straight()) : negative($0)
      }
    case .collapse(let posture):
      holds.append(hold(posture, seconds: 6...10, hip: straight()))
      let lying: Posture = posture == .reverse ? .lyingSupine : .lyingProne
      holds.append(Hold(lying, for: seconds(3...5)))
      return holds
    case .moving(let posture, let activity):
      var moving = hold(posture, seconds: 8...14, hip: straight())
      let still = hold(posture, seconds: 3...5, hip: straight())
      moving.placement.activity = activity
      moving.placement.cycleRate = Hertz(stream.uniform(in: 0.3...1))
      holds += [still, moving]
    case .sets(let posture): return holds + sets(of: posture, startsMid: startsMid)
    case .negative(let posture):
      holds.append(negative(posture))
      holds.append(negative(posture))
      return holds
    }
    holds.append(Hold(leadOut(), for: seconds(1.5...3)))
    return holds
  }

  func transitions() -> TransitionParameters {
    var transitions = TransitionParameters()
    transitions.descent = seconds(2.5...5)
    transitions.ascent = seconds(2...4)
    transitions.change = seconds(1...2.5)
    transitions.collapse = seconds(0.4...1)
    transitions.correction = seconds(0.6...2)
    if program == .everyday { transitions.route = .stages }
    return transitions
  }

  func motion() -> MotionParameters {
    var motion = MotionParameters()
    motion.sway = Meters(stream.uniform(in: 0.003...0.008))
    motion.swayTime = seconds(0.5...1.5)
    motion.tremorRate = Hertz(stream.uniform(in: 8...12))
    motion.tremor = Meters(stream.uniform(in: 0.0003...0.001))
    motion.lateTremor = Meters(stream.uniform(in: 0.002...0.005))
    motion.breathRate = Hertz(stream.uniform(in: 0.2...0.3))
    motion.lateBreathRate = Hertz(stream.uniform(in: 0.4...0.7))
    motion.breathAtSpine = Meters(stream.uniform(in: 0.002...0.006))
    motion.breathAtRoot = Meters(stream.uniform(in: 0.001...0.003))
    return motion
  }

  private func plank(_ posture: Posture, _ fault: StudioTask.Fault) -> [Hold] {
    let first = hold(posture, seconds: 6...10, hip: straight())
    var second = first
    second.duration = seconds(7...11)
    apply(fault, to: &second.form)
    if program == .everyday, posture == .forearm || posture == .high {
      reachForward(&second, from: first)
    }
    var third = first
    third.duration = seconds(3...5)
    third.form.hipOffset = Meters(straight())
    return [first, second, third]
  }

  private func apply(_ fault: StudioTask.Fault, to form: inout FormParameters) {
    switch fault {
    case .none: break
    case .sag: form.hipOffset = Meters(-stream.uniform(in: sags) * scale)
    case .pike: form.hipOffset = Meters(min(stream.uniform(in: pikes) * scale, 0.25))
    case .lumbar: form.lumbarOffset = Meters(-stream.uniform(in: 0.03...0.06) * scale)
    case .shoulder: form.shoulderOffset = Meters(stream.uniform(in: -0.04...0.04) * scale)
    case .knees: form.kneeFlexion = Degrees(stream.uniform(in: 12...30))
    case .flexion: form.flexionOffset = Meters(stream.uniform(in: 0.05...0.12) * scale)
    }
  }

  /// In meters at 1.75 m.
  ///
  /// In everyday sessions, the range comes from clips of people who show the fault: their hips are
  /// 14 cm below those in correct planks, and the floor allows 16 cm (docs/studio.md).
  private var sags: ClosedRange<Double> { program == .everyday ? 0.08...0.16 : 0.055...0.15 }

  /// In meters at 1.75 m.
  ///
  /// People who show the fault raise their hips by 21 cm or more above those in correct planks.
  private var pikes: ClosedRange<Double> { program == .everyday ? 0.12...0.25 : 0.055...0.25 }

  /// Leans the arms of a bent plank so that hands and toes stay in place, because the bend moves
  /// the shoulders toward the feet.
  private func reachForward(_ hold: inout Hold, from straight: Hold) {
    let height = 1.75 * scale
    let (trunk, legs) = (0.288 * height, 0.491 * height)
    let arm = (subject.upperArm + (hold.posture == .forearm ? 0 : 0.146)) * height
    let offset = hold.form.hipOffset.value
    let line =
      (trunk * trunk - offset * offset).squareRoot() + (legs * legs - offset * offset).squareRoot()
    let lean = straight.placement.supportTilt.radians
    let reach = min(max(sin(lean) - (trunk + legs - line) / arm, sin(-0.69)), 1)
    hold.placement.supportTilt = Degrees(radians: asin(reach))
  }

  private func tiring(_ posture: Posture, _ fault: StudioTask.Fault) -> Hold {
    var hold = hold(posture, seconds: 45...75, hip: straight())
    let end = stream.uniform(in: 0.07...0.12) * scale
    hold.drift.finalOffset = Meters(fault == .pike ? end : -end)
    hold.drift.onset = stream.uniform(in: 0.5...0.7)
    hold.drift.exponent = stream.uniform(in: 1.5...2.5)
    hold.drift.fatigue = 1
    return hold
  }

  private func hold(_ posture: Posture, seconds range: ClosedRange<Double>, hip: Double) -> Hold {
    var hold = Hold(posture, for: seconds(range))
    let isReverse = posture == .reverse
    hold.placement.supportTilt = Degrees(
      isReverse ? stream.uniform(in: -5...20) : stream.uniform(in: -8...8))
    hold.placement.elbowFlexion = Degrees(stream.uniform(in: 0...(isReverse ? 10 : 8)))
    hold.placement.forearmTurn = Degrees(stream.uniform(in: 0...35))
    hold.placement.freeArm = FreeArm.allCases[stream.index(below: FreeArm.allCases.count)]
    if posture.isSidePlank { hold.placement.roll = Degrees(stream.uniform(in: -15...15)) }
    hold.form.hipOffset = Meters(hip)
    hold.form.kneeFlexion = Degrees(stream.uniform(in: 0...(isReverse ? 15 : 5)))
    if program == .everyday, posture == .forearm {
      // Real elbows are roughly under the shoulders, with a wide spread (docs/studio.md).
      hold.placement.supportTilt = Degrees(stream.uniform(in: -20...12))
    }
    if program == .everyday, posture.isSidePlank {
      hold.placement.feet = FootPlacement.allCases[stream.index(below: 3)]
    }
    return hold
  }

  private func negative(_ posture: Posture, for range: ClosedRange<Double> = 6...9) -> Hold {
    var hold = Hold(posture, for: seconds(range))
    hold.placement.trunkLean = Degrees(stream.uniform(in: 15...40))
    hold.placement.cycleRate = Hertz(stream.uniform(in: posture.cycleRates))
    hold.placement.angleSpread = Degrees(stream.uniform(in: 2...6))
    return hold
  }

  private func leadIn(to posture: Posture) -> Hold {
    var starts: [Posture] = posture.isUpright ? [.standing, .walking] : [.standing, .allFours]
    if program == .everyday, posture == .forearm || posture == .high {
      starts += [.heelSit, .lyingProne, .lyingProneArmsFolded]
    }
    return Hold(pick(starts), for: seconds(2...4))
  }

  private func leadOut() -> Posture {
    if program == .textbook { return stream.bernoulli(0.5) ? .allFours : .tallKneel }
    return pick([.allFours, .tallKneel, .heelSit, .halfKneel, .standing])
  }

  private func pick(_ postures: [Posture]) -> Posture {
    postures[stream.index(below: postures.count)]
  }

  private func straight() -> Double {
    min(max(stream.gaussian(standardDeviation: 0.01), -0.025), 0.025) * scale
  }

  private func seconds(_ range: ClosedRange<Double>) -> Seconds {
    Seconds((stream.uniform(in: range) * 1000).rounded() / 1000)
  }
}

extension StudioActs {
  private func sets(of posture: Posture, startsMid: Bool) -> [Hold] {
    var holds: [Hold] = []
    var plank = posture
    for number in 0..<2 + stream.index(below: 4) {
      if number > 0 || !startsMid { holds.append(negative(pick(plank.readiness), for: 0.6...2)) }
      holds += setHold(plank)
      if !plank.endings.isEmpty, stream.bernoulli(0.65) {
        holds.append(negative(pick(plank.endings), for: 0.6...2.5))
      }
      let rest = pick(plank.rests)
      holds.append(negative(rest, for: 2...6))
      let other = pick(plank.rests)
      if other != rest, stream.bernoulli(0.4) { holds.append(negative(other, for: 2...5)) }
      plank = plank.successor(isSwitched: stream.bernoulli(0.25))
    }
    if stream.bernoulli(0.6) { holds.append(Hold(leadOut(), for: seconds(2...4))) }
    return holds
  }

  private func setHold(_ posture: Posture) -> [Hold] {
    let first = hold(posture, seconds: 5...11, hip: straight())
    guard stream.bernoulli(0.4) else { return [first] }
    let fault: StudioTask.Fault = stream.bernoulli(0.5) ? .sag : .pike
    if stream.bernoulli(0.4) {
      var tired = first
      tired.duration = seconds(10...18)
      tired.drift.finalOffset = Meters(
        (fault == .pike ? 1 : -1) * stream.uniform(in: 0.07...0.12) * scale)
      tired.drift.fatigue = 1
      return [tired]
    }
    var second = first
    second.duration = seconds(3...6)
    apply(fault, to: &second.form)
    if posture == .forearm || posture == .high { reachForward(&second, from: first) }
    return [first, second]
  }
}

extension Posture {
  fileprivate var readiness: [Posture] {
    switch self {
    case .forearm: [.sphinx, .kneeForearmPlank, .allFours]
    case .high: [.allFours, .kneePlank, .lyingProneHandsByShoulders]
    case .sideLeftElbow, .sideLeftHand: [.sittingSideLeft, .lyingSideLeft]
    case .sideRightElbow, .sideRightHand: [.sittingSideRight, .lyingSideRight]
    default: [.longSit]
    }
  }

  fileprivate var endings: [Posture] {
    switch self {
    case .forearm: [.sphinx, .kneeForearmPlank]
    case .high: [.cobra, .kneePlank]
    default: []
    }
  }

  fileprivate var rests: [Posture] {
    switch self {
    case .forearm, .high:
      [
        .sphinx, .lyingProne, .lyingProneArmsFolded, .lyingProneArmsBesideHead, .childsPose,
        .heelSit, .allFours, .sittingSideLeft, .sittingSideRight, .lyingSupine, .superman,
      ]
    case .sideLeftElbow, .sideLeftHand:
      [.sittingSideLeft, .lyingSideLeft, .heelSit, .lyingSupine, .lyingProneArmsFolded]
    case .sideRightElbow, .sideRightHand:
      [.sittingSideRight, .lyingSideRight, .heelSit, .lyingSupine, .lyingProneArmsFolded]
    default: [.longSit, .lyingSupine, .sittingSideLeft, .sittingSideRight]
    }
  }

  fileprivate func successor(isSwitched: Bool) -> Posture {
    switch self {
    case .sideLeftElbow: .sideRightElbow
    case .sideRightElbow: .sideLeftElbow
    case .sideLeftHand: .sideRightHand
    case .sideRightHand: .sideLeftHand
    case .forearm: isSwitched ? .high : .forearm
    case .high: isSwitched ? .forearm : .high
    default: self
    }
  }
}

extension Posture {
  static let textbook = allCases.filter {
    ![
      .kneeForearmPlank, .mountainClimber, .pushUps, .bearCrawl, .lowCrawl, .birdDog, .sphinx,
      .lyingProneArmsFolded, .lyingProneArmsBesideHead, .superman, .sittingSideLeft,
      .sittingSideRight, .heelSit, .halfKneel,
    ].contains($0)
  }

  fileprivate var cycleRates: ClosedRange<Double> {
    switch self {
    case .crawl, .bearCrawl, .lowCrawl: 0.5...1
    case .pushUps: 0.25...1
    case .superman: 0.15...0.3
    case .birdDog: 0.1...0.2
    default: 1...2
    }
  }
}
