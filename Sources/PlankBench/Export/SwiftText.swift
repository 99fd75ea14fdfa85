/// Texts as Swift source; unescaped, a name or a description could end its literal or comment and
/// continue as code.
enum SwiftText {
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func comment(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) {
        result += " "
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A finite number as a literal; a negative one is in parentheses, apart from any operator.
  static func number(_ value: Double) -> String {
    value.sign == .minus ? "(\(value))" : "\(value)"
  }

  /// Names for constants, one per suggestion, in order: none is a word of the language, already
  /// taken, or repeated.
  static func identifiers(_ suggestions: [String], taken: Set<String>) -> [String] {
    var used = taken.union(words)
    return suggestions.map { suggestion in
      var name = suggestion.isEmpty ? "parameter" : suggestion
      while !used.insert(name).inserted { name += "_" }
      return name
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }

  private static let words = Set(
    """
    actor any as associatedtype associativity async await borrow borrowing break case catch class \
    consume consuming continue convenience copy default defer deinit didSet discard do dynamic each \
    else enum extension fallthrough false fileprivate final for func get guard if import in \
    indirect infix init inout internal is isolated lazy left let macro mutating nil none \
    nonisolated nonmutating of open operator optional override package postfix precedence \
    precedencegroup prefix private protocol public repeat required rethrows return right self \
    sending set some static struct subscript super switch then throw throws true try typealias \
    unowned unsafe var weak where while willSet yield
    """.split(separator: " ").map(String.init))
}
