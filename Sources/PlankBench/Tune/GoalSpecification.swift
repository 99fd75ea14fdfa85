internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Tuning

enum GoalSpecification {
  struct Relation {
    let left: String
    let comparison: Comparison
    let right: String
    let margin: String?
    let node: YAMLNode
  }

  static func parse(_ map: YAMLMap) throws -> (goals: [TuningGoal], relations: [Relation]) {
    let node = try map.required("objective")
    let objectives = try self.objectives(node)
    let (bounds, relations) = try constraints(map.optional("constraints"), objectives)
    let tolerance = try self.tolerance(map.optional("tolerance"))
    var goals: [TuningGoal] = []
    for objective in objectives {
      do {
        goals.append(
          try TuningGoal(
            objective, constraints: bounds.filter { $0.metric.stream == objective.stream },
            tolerance: tolerance))
      } catch {
        throw node.error(error)
      }
    }
    return (goals: goals, relations: relations)
  }

  private static func objectives(_ node: YAMLNode) throws -> [MetricKey] {
    var objectives: [MetricKey] = []
    for element in try node.strings() {
      let name = try element.string()
      do {
        objectives.append(try MetricKey(tunable: name))
      } catch {
        throw element.error(error)
      }
    }
    guard Set(objectives.map(\.stream)).count == objectives.count else {
      throw node.error(
        allowed: "one metric per stream",
        remedy: "keep one objective for each stream and turn others into constraints",
        found: "two objectives for one stream")
    }
    return objectives
  }

  private static func constraints(
    _ node: YAMLNode?, _ objectives: [MetricKey]
  ) throws -> (bounds: [MetricConstraint], relations: [Relation]) {
    var bounds: [MetricConstraint] = []
    var relations: [Relation] = []
    for element in try node?.list() ?? [] {
      let words = try element.string()
      let text: ConstraintText
      do {
        text = try ConstraintText(words)
      } catch {
        throw element.error(error)
      }
      switch text {
      case .metric(let bound):
        guard objectives.contains(where: { $0.stream == bound.metric.stream }) else {
          throw element.error(
            allowed: "constraints on streams that have an objective",
            remedy: "add an objective for the \(bound.metric.stream.rawValue) stream",
            found: "a constraint on `\(bound.metric)`")
        }
        bounds.append(bound)
      case .parameters(let left, let comparison, let right, let margin):
        relations.append(
          Relation(
            left: left, comparison: comparison, right: right, margin: margin, node: element))
      }
    }
    return (bounds: bounds, relations: relations)
  }

  private static func tolerance(_ node: YAMLNode?) throws -> Double {
    guard let node else { return 0 }
    let value = try node.double()
    guard value >= 0 else {
      throw node.error(allowed: "0 or more", remedy: "write it in the objective's unit")
    }
    return value
  }
}

/// `plank.hit_rate >= 0.9` bounds a metric, `sag < pike + 1cm` relates two parameters.
enum ConstraintText: Hashable, Sendable {
  case metric(MetricConstraint)
  case parameters(left: String, Comparison, right: String, margin: String?)

  struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
  }

  init(_ text: String) throws {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count == 3 || (words.count == 5 && ["+", "-"].contains(words[3])) else {
      throw Problem(
        description: "`\(text)` is not a constraint; write `metric <= number`, for example "
          + "`plank.excess_transitions_per_minute <= 2`, or `parameter < parameter`, for example "
          + "`sag < pike + 1cm`")
    }
    if words[0].contains(".") {
      self = .metric(try Self.bound(words))
      return
    }
    guard let comparison = Comparison(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` is not a comparison; comparisons are >, >=, < and <=")
    }
    guard words[2].first.map({ $0.isLetter || $0 == "_" }) ?? false else {
      throw Problem(
        description: "`\(words[2])` is a value; a parameter is compared with another parameter, "
          + "and bounded by its axis")
    }
    let margin = words.count == 5 ? (words[3] == "-" ? "-" : "") + words[4] : nil
    self = .parameters(left: words[0], comparison, right: words[2], margin: margin)
  }

  private static func bound(_ words: [String]) throws -> MetricConstraint {
    let metric: MetricKey
    do {
      metric = try MetricKey(tunable: words[0])
    } catch {
      throw Problem(description: "\(error)")
    }
    guard let side = MetricConstraint.Side(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` cannot bound a metric; write <= or >=")
    }
    guard words.count == 3, let bound = Double(words[2]), bound.isFinite else {
      throw Problem(
        description: "`\(words.dropFirst(2).joined(separator: " "))` is not a number; write the "
          + "bound in the metric's unit")
    }
    return MetricConstraint(metric, side, bound)
  }
}
