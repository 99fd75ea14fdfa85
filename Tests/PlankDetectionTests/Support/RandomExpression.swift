import PlankDetection
import PoseModel
import TestSupport

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
