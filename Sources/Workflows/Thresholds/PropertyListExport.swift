internal import PlankDetection
internal import Reporting
internal import Smoothing
internal import Specifications

/// Thresholds as an XML property list: the detector's and the smoothing's name, and numbers by key.
struct PropertyListExport {
  private let thresholds: Thresholds

  init(_ thresholds: Thresholds) { self.thresholds = thresholds }

  /// The property list.
  var text: String {
    let entries = thresholds.parameters.entries.map { definition, value -> String in
      let tag = definition.isInteger ? "integer" : "real"
      return "    <key>\(definition.key.rawValue)</key>\n"
        + "    <\(tag)>\(NumberText.shortest(value))</\(tag)>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>detector</key>
        <string>\(Self.escaped(thresholds.definition.name))</string>
        <key>smoothing</key>
        <string>\(Self.escaped(thresholds.smoothing.text))</string>
        <key>debounce</key>
        <string>\(Self.escaped(thresholds.debounceText))</string>
        <key>parameters</key>
        <dict>
      \(entries.joined())\
        </dict>
      </dict>
      </plist>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
