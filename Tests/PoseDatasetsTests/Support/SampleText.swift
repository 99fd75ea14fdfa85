import PoseModel

/// Recordings of two joints as text, short enough to be read in a test.
enum SampleText {
  /// A header without anything optional.
  static let header = header()

  /// A header with fields replaced or added.
  ///
  /// - Parameter fields: JSON by key; an empty text takes the key out.
  static func header(_ fields: KeyValuePairs<String, String> = [:]) -> String {
    var members = [
      ("format", "\"planklab-poses\""), ("version", "1"), ("skeleton", "\"vision3d\""),
      ("joints", #"["root","leftHip"]"#), ("frame", "\"camera\""),
    ]
    for (key, value) in fields {
      members.removeAll { $0.0 == key }
      if !value.isEmpty { members.append((key, value)) }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A frame line of two joints.
  static func frame(_ time: String, _ pose: String = "[0,1,2,3,4,5]", _ more: String = "")
    -> String
  {
    "{\"t\":\(time),\"p\":\(pose)\(more)}"
  }

  /// Lines, each ended by a line feed.
  static func text(_ lines: String...) -> String {
    lines.map { $0 + "\n" }.joined()
  }
}
