@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel

/// One step of a strategy's text: `name:key=value,key=value@target`.
struct StepText {
  /// The name before the colon.
  let name: String
  /// The parameters in order, not yet parsed.
  let parameters: [Substring]
  /// The text after the @, if there is one.
  let target: String?

  /// Splits a strategy into steps at each +.
  static func steps(of text: String) throws(StrategyTextError) -> [StepText] {
    var steps: [StepText] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw .emptyStep(in: text) }
      steps.append(StepText(part))
    }
    return steps
  }

  private init(_ text: Substring) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    target = halves.count == 2 ? String(halves[1]) : nil
    let parts = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    parameters =
      parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
  }

  /// Parses the parameters of a kind.
  func settings<Kind: StrategyKind>(
    _ kind: Kind
  ) throws(StrategyTextError) -> StrategySettings<Kind> {
    let values = try values(of: kind.parameters)
    do {
      return try StrategySettings(kind, values)
    } catch {
      throw .invalidValue(step: name, problem: "\(error)")
    }
  }

  /// Parses parameters by their definitions.
  func values(
    of definitions: [ParameterDefinition]
  ) throws(StrategyTextError) -> [ParameterKey: Double] {
    let allowed = definitions.map(\.keyWithUnit)
    var values: [ParameterKey: Double] = [:]
    for parameter in parameters {
      let halves = parameter.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else {
        throw .malformedParameter(step: name, found: String(parameter), allowed: allowed)
      }
      let key = String(halves[0])
      guard let definition = definitions.first(where: { $0.key.rawValue == key }) else {
        throw .unknownParameter(step: name, found: key, allowed: allowed)
      }
      guard values[definition.key] == nil else {
        throw .repeatedParameter(step: name, key: key)
      }
      values[definition.key] = try read(String(halves[1]), definition)
    }
    return values
  }

  private func read(
    _ text: String, _ definition: ParameterDefinition
  ) throws(StrategyTextError) -> Double {
    do {
      return try definition.parse(text)
    } catch {
      throw .invalidValue(step: name, problem: "\(error)")
    }
  }
}

extension ParameterDefinition {
  /// The key with the unit of its values: `minCutoff (Hz)`.
  package var keyWithUnit: String {
    unit == .ratio ? key.rawValue : "\(key.rawValue) (\(unit.rawValue))"
  }

  /// A value as written in a strategy's text: the shortest decimal with its unit.
  package func text(_ value: Double) -> String {
    let number = "\(value)"
    let digits = number.hasSuffix(".0") ? String(number.dropLast(2)) : number
    switch unit {
    case .ratio, .frames: return digits
    default: return digits + (unit.suffixes.first?.text ?? "")
    }
  }
}

extension StrategySettings {
  /// The kind with its first parameter, and those of the others that are not at their defaults.
  var shortText: String {
    let parameters = entries.enumerated().filter { index, entry in
      index == 0 || entry.value != entry.definition.defaultValue
    }.map { _, entry in entry.definition.key.rawValue + "=" + entry.definition.text(entry.value) }
    return parameters.isEmpty
      ? kind.rawValue : kind.rawValue + ":" + parameters.joined(separator: ",")
  }

  /// The kind and every parameter: `ema:cutoff=1.5Hz`.
  package var text: String {
    let parameters = entries.map { definition, value in
      definition.key.rawValue + "=" + definition.text(value)
    }
    return parameters.isEmpty
      ? kind.rawValue : kind.rawValue + ":" + parameters.joined(separator: ",")
  }
}

/// Why a text is not a smoothing or debounce strategy.
package enum StrategyTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An empty step.
  case emptyStep(in: String)
  /// No step has this name.
  case unknownStep(String, family: String, known: [String])
  /// A parameter is not of the form `key=value`.
  case malformedParameter(step: String, found: String, allowed: [String])
  /// The step has no parameter with this name.
  case unknownParameter(step: String, found: String, allowed: [String])
  /// A parameter is given twice.
  case repeatedParameter(step: String, key: String)
  /// A value is not a number in its unit, or is not allowed.
  case invalidValue(step: String, problem: String)
  /// The step has no target with this name.
  case unknownTarget(step: String, found: String, allowed: [String])
  /// A filter that looks ahead is in a chain.
  case lookingAhead(step: String)
  /// A stream has two rules.
  case repeatedStream(step: String, stream: String)
  /// The steps do not go together.
  case invalidStrategy(String)

  /// The step, what was found, what is allowed, and the nearest name.
  package var description: String {
    switch self {
    case .emptyStep(let text):
      "`\(text)` has an empty step; join steps with one +, for example median+ema:cutoff=1.5Hz"
    case .unknownStep(let found, let family, let known):
      "no \(family) `\(found)`" + Self.hint(found, known) + "; there are "
        + known.joined(separator: ", ")
    case .malformedParameter(let step, let found, let allowed):
      "\(step): `\(found)` is not of the form key=value; " + Self.list(allowed)
    case .unknownParameter(let step, let found, let allowed):
      "\(step) has no parameter `\(found)`"
        + Self.hint(found, allowed.map { String($0.prefix { $0 != " " }) }) + "; "
        + Self.list(allowed)
    case .repeatedParameter(let step, let key):
      "\(step): `\(key)` is given twice; leave one"
    case .invalidValue(let step, let problem): "\(step): \(problem)"
    case .unknownTarget(let step, let found, let allowed):
      "\(step) cannot work on `\(found)`" + Self.hint(found, allowed) + "; write @"
        + allowed.joined(separator: " or @")
    case .lookingAhead(let step):
      "\(step) looks ahead, so it cannot stand in a chain with others; give it alone, or a causal "
        + "filter"
    case .repeatedStream(let step, let stream):
      "\(step): the \(stream) stream has a rule already; name the streams with @plank and @form"
    case .invalidStrategy(let problem): problem
    }
  }

  private static func list(_ allowed: [String]) -> String {
    allowed.isEmpty
      ? "it takes none" : "it takes " + allowed.joined(separator: ", ")
  }

  private static func hint(_ found: String, _ known: [String]) -> String {
    NearestNames.of(found, among: known, limit: 1).first.map { ", did you mean `\($0)`?" } ?? ""
  }
}
