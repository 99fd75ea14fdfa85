import PlankDetection
import PoseModel
import TestSupport

/// A random expression as a tree: its text, and a naive evaluation written from the guide alone.
///
/// Missing joints and heights are nil, and so is every number that has no meaning; whether a frame
/// misses something is asked apart, of all that the tree names.
indirect enum NaiveExpression {
  enum Place {
    case joint(Joint)
    case middle(Joint, Joint)
  }

  case constant(Double, String)
  case bodyHeight
  case distance(Place, Place)
  case height(Place, Place)
  case angle(Place, Place, Place)
  case deviation(Place, Place, Place)
  case uprightness(Place, Place)
  case side(Place, Place, Place)
  case builtIn(Measurement)
  case negative(NaiveExpression)
  case absolute(NaiveExpression)
  case binary(String, NaiveExpression, NaiveExpression)
  case combined(String, [NaiveExpression])
  case when(NaiveExpression, NaiveExpression, String, NaiveExpression)
  case window(String, NaiveExpression, Double)
}

extension NaiveExpression.Place {
  var text: String {
    switch self {
    case .joint(let joint): joint.name
    case .middle(let a, let b): "midpoint(\(a.name), \(b.name))"
    }
  }

  var joints: [Joint] {
    switch self {
    case .joint(let joint): [joint]
    case .middle(let a, let b): [a, b]
    }
  }

  func position(_ frame: NaiveFrame) -> Vector3? {
    let places = joints.compactMap { frame.joints[$0] }
    guard places.count == joints.count else { return nil }
    let sum = places.dropFirst().reduce(places[0]) { $0 + $1 }
    return sum / Double(places.count)
  }
}

struct NaiveFrame {
  let time: Double
  let joints: [Joint: Vector3]
  let up: Vector3
  let height: Double?
  let builtIn: (Measurement) -> Float?

  init?(_ recording: Recording, _ index: Int, _ columns: MeasurementColumns) {
    guard let axes = recording.axes(at: index) else { return nil }
    time = recording.times[index]
    up = axes.up
    height = recording.bodyHeight(at: index)?.value ?? 1.8
    var joints: [Joint: Vector3] = [:]
    for joint in Skeleton.vision3d.joints {
      joints[joint] = recording.evaluatedPosition(of: joint, at: index)
    }
    self.joints = joints
    builtIn = { columns.value(of: $0, at: index) }
  }
}

extension NaiveExpression {
  var text: String {
    switch self {
    case .constant(let value, let unit): "\(value)\(unit)"
    case .bodyHeight: "bodyHeight"
    case .distance(let a, let b): "distance(\(a.text), \(b.text))"
    case .height(let a, let b): "(height(\(a.text)) - height(\(b.text)))"
    case .angle(let a, let b, let c): "angle(\(a.text), \(b.text), \(c.text))"
    case .deviation(let p, let a, let b): "deviation(\(p.text), \(a.text), \(b.text))"
    case .uprightness(let a, let b): "dot(direction(\(a.text), \(b.text)), up)"
    case .side(let a, let b, let c):
      "projectedAngle(\(a.text) - \(b.text), \(c.text) - \(b.text), up)"
    case .builtIn(let measurement): measurement.name
    case .negative(let x): "-(\(x.text))"
    case .absolute(let x): "abs(\(x.text))"
    case .binary(let sign, let x, let y): "(\(x.text) \(sign) \(y.text))"
    case .combined(let name, let list): "\(name)(\(list.map(\.text).joined(separator: ", ")))"
    case .when(let x, let y, let sign, let z): "when(\(x.text), \(y.text) \(sign) \(z.text))"
    case .window(let name, let x, let seconds): "\(name)(\(x.text), \(seconds)s)"
    }
  }

  /// The joints that the tree uses, and whether it needs the body height.
  var needs: (joints: Set<Joint>, height: Bool) {
    switch self {
    case .constant: ([], false)
    case .bodyHeight: ([], true)
    case .distance(let a, let b), .height(let a, let b), .uprightness(let a, let b):
      (Set(a.joints + b.joints), false)
    case .angle(let a, let b, let c), .deviation(let a, let b, let c), .side(let a, let b, let c):
      (Set(a.joints + b.joints + c.joints), false)
    case .builtIn(.kneeRise):
      ([.leftKnee, .rightKnee, .leftAnkle, .rightAnkle], true)
    case .builtIn: ([.leftHip, .leftKnee, .leftAnkle, .rightHip, .rightKnee, .rightAnkle], false)
    case .negative(let x), .absolute(let x), .window(_, let x, _): x.needs
    case .binary(_, let x, let y): Self.union([x, y])
    case .combined(_, let list): Self.union(list)
    case .when(let x, let y, _, let z): Self.union([x, y, z])
    }
  }

  /// The number of every frame, from the whole history; nil if there is none.
  func values(_ frames: [NaiveFrame?]) -> [Double?] {
    switch self {
    case .negative(let x): x.values(frames).map { $0.map { -$0 } }
    case .absolute(let x): x.values(frames).map { $0.map(abs) }
    case .binary(let sign, let x, let y):
      zip(x.values(frames), y.values(frames)).map { Self.apply(sign, $0, $1) }
    case .combined(let name, let list): Self.combine(name, list.map { $0.values(frames) })
    case .when(let x, let y, let sign, let z):
      frames.indices.map { frame in
        let (left, right) = (y.values(frames)[frame], z.values(frames)[frame])
        guard let left, let right else { return nil }
        let holds =
          switch sign {
          case "<": left < right
          case "<=": left <= right
          case ">": left > right
          default: left >= right
          }
        return holds ? x.values(frames)[frame] : nil
      }
    case .window(let name, let x, let seconds):
      NaiveWindow.values(name, x.values(frames), frames.map { $0?.time }, seconds)
    default: frames.map { $0.flatMap(value) }
    }
  }

  private func value(_ frame: NaiveFrame) -> Double? {
    switch self {
    case .constant(let value, let unit): return unit == "cm" ? value / 100 : value
    case .bodyHeight: return frame.height
    case .distance(let a, let b): return difference(a, b, frame).map(length)
    case .height(let a, let b): return difference(a, b, frame).map { $0.dot(frame.up) }
    case .angle(let a, let b, let c):
      guard let v = difference(a, b, frame), let w = difference(c, b, frame),
        length(v) >= 0.001, length(w) >= 0.001
      else { return nil }
      return v.angleDegrees(to: w)
    case .deviation(let p, let a, let b):
      guard let line = difference(b, a, frame), let arm = difference(p, a, frame),
        length(line) >= 0.001
      else { return nil }
      let share = arm.dot(line) / line.dot(line)
      return (arm - line * share).dot(frame.up)
    case .uprightness(let a, let b):
      guard let v = difference(b, a, frame), length(v) >= 0.001 else { return nil }
      return v.dot(frame.up) / length(v)
    case .side(let a, let b, let c):
      guard let v = difference(a, b, frame), let w = difference(c, b, frame) else { return nil }
      let (flat, other) = (level(v, frame.up), level(w, frame.up))
      guard length(flat) >= 0.001, length(other) >= 0.001 else { return nil }
      return atan2Degrees(flat.cross(other).dot(frame.up), flat.dot(other))
    case .builtIn(let measurement): return frame.builtIn(measurement).map(Double.init)
    default: return nil
    }
  }

  private func difference(_ a: Place, _ b: Place, _ frame: NaiveFrame) -> Vector3? {
    guard let first = a.position(frame), let second = b.position(frame) else { return nil }
    return first - second
  }

  private func length(_ v: Vector3) -> Double { v.dot(v).squareRoot() }

  private func level(_ v: Vector3, _ up: Vector3) -> Vector3 { v - up * v.dot(up) }

  private static func apply(_ sign: String, _ x: Double?, _ y: Double?) -> Double? {
    guard let x, let y else { return nil }
    switch sign {
    case "+": return x + y
    case "-": return x - y
    case "*": return x * y
    default: return y == 0 ? nil : x / y
    }
  }

  private static func combine(_ name: String, _ columns: [[Double?]]) -> [Double?] {
    (columns.first ?? []).indices.map { frame in
      let numbers = columns.compactMap { $0[frame] }
      guard numbers.count == columns.count else { return nil }
      switch name {
      case "min": return numbers.min()
      case "max": return numbers.max()
      default: return numbers.reduce(0, +) / Double(numbers.count)
      }
    }
  }

  private static func union(_ list: [NaiveExpression]) -> (joints: Set<Joint>, height: Bool) {
    list.map(\.needs).reduce((joints: [], height: false)) {
      ($0.joints.union($1.joints), $0.height || $1.height)
    }
  }
}

/// The result of a window in every frame, computed from the whole history.
enum NaiveWindow {
  /// The values of `speed`, `range` or `relative`; times are nil if there is no frame to measure.
  static func values(
    _ name: String, _ values: [Double?], _ times: [Double?], _ seconds: Double
  ) -> [Double?] {
    let slack = 1e-9
    return values.indices.map { frame in
      guard values[frame] != nil, let now = times[frame] else { return nil }
      let samples = values.indices.prefix(frame + 1).compactMap { index in
        values[index].flatMap { value in times[index].map { (time: $0, value: value) } }
      }
      let breaks = samples.indices.dropFirst().filter {
        samples[$0].time - samples[$0 - 1].time > 0.5 + slack
      }
      let stretch = Array(samples[(breaks.last ?? 0)...])
      if name == "relative" { return relative(stretch, seconds, slack) }
      let recent = stretch.filter { now - $0.time < seconds - slack }
      guard let oldest = recent.first, now - oldest.time >= seconds / 2 - slack, recent.count > 1
      else { return nil }
      let numbers = recent.map(\.value)
      if name == "range" { return (numbers.max() ?? 0) - (numbers.min() ?? 0) }
      let count = Double(recent.count)
      let meanTime = recent.map(\.time).reduce(0, +) / count
      let mean = numbers.reduce(0, +) / count
      let above = recent.map { ($0.time - meanTime) * ($0.value - mean) }.reduce(0, +)
      let below = recent.map { ($0.time - meanTime) * ($0.time - meanTime) }.reduce(0, +)
      return above / below
    }
  }

  private static func relative(
    _ stretch: [(time: Double, value: Double)], _ seconds: Double, _ slack: Double
  ) -> Double? {
    guard let first = stretch.first, let last = stretch.last,
      last.time - first.time >= seconds - slack
    else { return nil }
    let baseline = stretch.filter { $0.time - first.time < seconds - slack }.map(\.value).sorted()
    let half = baseline.count / 2
    let median =
      baseline.count.isMultiple(of: 2) ? (baseline[half - 1] + baseline[half]) / 2 : baseline[half]
    return last.value - median
  }
}

extension NaiveExpression {
  /// A random tree in degrees, meters or without a unit.
  static func random(_ random: inout SplitMix64, unit: String, depth: Int) -> NaiveExpression {
    if depth == 0 || random.chance(0.2) { return leaf(&random, unit) }
    let kind = random.integer(0...7)
    switch kind {
    case 0: return .negative(Self.random(&random, unit: unit, depth: depth - 1))
    case 1: return .absolute(Self.random(&random, unit: unit, depth: depth - 1))
    case 2, 3:
      return .binary(
        random.pick(["+", "-"]), Self.random(&random, unit: unit, depth: depth - 1),
        Self.random(&random, unit: unit, depth: depth - 1))
    case 4:
      return .binary(
        random.pick(["*", "/"]), Self.random(&random, unit: unit, depth: depth - 1),
        Self.random(&random, unit: "", depth: depth - 1))
    case 5:
      let list = (0..<random.integer(1...3)).map { _ in
        Self.random(&random, unit: unit, depth: depth - 1)
      }
      return .combined(random.pick(["min", "max", "mean"]), list)
    case 6:
      return .when(
        Self.random(&random, unit: unit, depth: depth - 1),
        Self.random(&random, unit: "m", depth: depth - 1), random.pick(["<", "<=", ">", ">="]),
        Self.random(&random, unit: "m", depth: depth - 1))
    default:
      return .window(
        random.pick(["range", "relative"]), Self.random(&random, unit: unit, depth: depth - 1),
        random.pick([0.2, 0.5, 1.3]))
    }
  }

  private static func leaf(_ random: inout SplitMix64, _ unit: String) -> NaiveExpression {
    func place() -> Place {
      random.chance(0.3)
        ? .middle(random.pick(Skeleton.vision3d.joints), random.pick(Skeleton.vision3d.joints))
        : .joint(random.pick(Skeleton.vision3d.joints))
    }
    switch unit {
    case "m":
      return [
        .constant(random.uniform(0...1), random.pick(["m", "cm"])), .distance(place(), place()),
        .height(place(), place()), .deviation(place(), place(), place()),
      ][random.integer(0...3)]
    case "deg":
      return [
        .constant(random.uniform(0...180), "deg"), .angle(place(), place(), place()),
        .builtIn(.smallerKneeAngle), .side(place(), place(), place()),
      ][random.integer(0...3)]
    default:
      return [
        .constant(random.uniform(-2...2).magnitude, ""), .uprightness(place(), place()),
        .binary("/", .distance(place(), place()), .distance(place(), place())),
        .binary("/", .distance(place(), place()), .constant(0.5, "m")),
      ][random.integer(0...3)]
    }
  }
}
