internal import ParameterTuning
internal import PlankDetection
internal import Smoothing
internal import YAMLDocuments

extension GridSpecification {
  /// The smoothings, none unless named.
  func smoothings() throws(YAMLError) -> [SmoothingVariant] {
    guard let node = named("smoothing", overrides.smoothings) else { return [.none] }
    var variants: [SmoothingVariant] = []
    for element in try node.strings() {
      let text = try element.string()
      do {
        variants.append(try SmoothingVariant(SmoothingChoice(text: text)))
      } catch {
        throw element.optionError(allowed: "a smoothing", remedy: "\(error)")
      }
    }
    guard Set(variants.map(\.name)).count == variants.count else {
      throw node.error(
        allowed: "each smoothing once", remedy: "remove one", found: "a smoothing twice")
    }
    return variants
  }

  /// The texts of an option, else the node of a key.
  private func named(_ key: String, _ texts: [String]) -> YAMLNode? {
    guard !texts.isEmpty else { return map.optional(key) }
    return YAMLNode(texts: texts, file: "--\(key)")
  }

  /// A detector with every debounce of the experiment.
  func debounced(
    _ definition: DetectorDefinition, _ base: ParameterValues
  ) throws(YAMLError) -> [DetectorVariant] {
    guard let node = named("debounce", overrides.debounces) else {
      return [DetectorVariant(definition, base: base)]
    }
    var variants: [DetectorVariant] = []
    for element in try node.strings() {
      let text = try element.string()
      do {
        let strategy = try DebounceStrategy(text: text, parameters: definition.parameters)
        variants.append(
          DetectorVariant(
            definition, base: base, debounce: strategy,
            debounceName: strategy.text(parameters: definition.parameters)))
        _ = try BatchDetector(definition, parameters: base, debounce: strategy)
      } catch {
        throw element.optionError(allowed: "a debounce", remedy: "\(error)")
      }
    }
    return variants
  }
}

extension YAMLNode {
  /// An error at this node, without a line where it stands in an option of the command line.
  fileprivate func optionError(allowed: String, remedy: String) -> YAMLError {
    let isOption = file.hasPrefix("--")
    return YAMLError(
      file: isOption ? "\(file) \((try? string()) ?? "")" : file, line: isOption ? nil : line,
      field: field, found: summary, allowed: allowed, remedy: remedy)
  }
}
