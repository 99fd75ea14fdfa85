/// A family of interchangeable steps, each with parameters of its own.
///
/// A conforming enum is a catalogue: names, summaries and parameters of smoothing or debounce come
/// from it, and so do validation, the text form, `--help` and the documentation.
public protocol StrategyKind: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What a list of kinds calls them, for messages: `smoothing`, `debounce`.
  static var family: String { get }
  /// What it does, in one line.
  var summary: String { get }
  /// The parameters in the order of documentation and output.
  var parameters: [ParameterDefinition] { get }
  /// Parameters of which exactly one is given; the first one's default stands where none is.
  var alternatives: [ParameterKey] { get }
  /// What no single parameter can check; nil where the values go together.
  func contradiction(in values: [ParameterKey: Double]) -> String?
}

extension StrategyKind {
  /// No alternatives.
  public var alternatives: [ParameterKey] { [] }

  /// Values always go together.
  public func contradiction(in values: [ParameterKey: Double]) -> String? { nil }
}
