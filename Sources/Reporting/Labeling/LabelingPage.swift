internal import PoseModel

/// The page on which a person labels a recording: one HTML file that needs no network.
///
/// Its policy allows the one style sheet and the one script that are written here, by their
/// SHA-256, and media of the computer itself; nothing can be fetched or sent. All that comes from
/// the recording stands in one JSON block, which the script reads as data and shows as text.
package enum LabelingPage {
  /// The HTML of the page.
  ///
  /// - Precondition: every strip has one value a frame.
  /// - Returns: the same text for the same input; about 150 bytes a frame and 5 more a strip.
  package static func html(from input: LabelingInput) -> String {
    let frames = input.recording.frameCount
    precondition(
      input.strips.allSatisfy { $0.values.count == frames }, "a strip has one value a frame")
    let style = PageAssets.style
    let script = PageAssets.script
    return filled(
      PageAssets.template,
      [
        "policy": policy(style: style, script: script), "style": style, "script": script,
        "data": LabelingData.json(of: input),
      ])
  }

  /// The policy that keeps the page alone on its computer.
  private static func policy(style: String, script: String) -> String {
    [
      "default-src 'none'", "script-src 'sha256-\(SHA256.base64(of: script))'",
      "style-src 'sha256-\(SHA256.base64(of: style))'", "media-src blob:", "base-uri 'none'",
      "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// A template with every `{{name}}` replaced; what is put in is not looked through again.
  private static func filled(_ template: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = Substring(template)
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      result += rest[..<open.lowerBound]
      result += values[String(rest[open.upperBound..<close.lowerBound])] ?? ""
      rest = rest[close.upperBound...]
    }
    return result + rest
  }
}
