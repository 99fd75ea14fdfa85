internal import FoundationEssentials
internal import PoseDatasets
internal import PoseModel

/// The page on which a person labels a recording: one HTML file that needs no network.
///
/// Its policy allows the one style sheet and the one script that are written here, by their
/// SHA-256, and media of the computer itself; nothing can be fetched or sent. All that comes from
/// the recording stands in one JSON block, which the script reads as data and shows as text.
enum LabelingPage {
  /// The HTML of the page.
  ///
  /// - Precondition: every strip has one value a frame.
  /// - Returns: the same text for the same input; about 150 bytes a frame and 5 more a strip.
  /// - Throws: `DatasetError.hashingFailed` where libcrypto refuses.
  static func html(from input: LabelingInput) throws(DatasetError) -> String {
    let frames = input.recording.frameCount
    precondition(
      input.strips.allSatisfy { $0.values.count == frames }, "a strip has one value a frame")
    let style = PageAssets.style
    let script = PageAssets.script
    return filled(
      PageAssets.template,
      [
        "policy": try policy(style: style, script: script), "style": style, "script": script,
        "data": LabelingData.json(of: input),
      ])
  }

  /// The policy that keeps the page alone on its computer.
  private static func policy(style: String, script: String) throws(DatasetError) -> String {
    [
      "default-src 'none'", "script-src 'sha256-\(try digest(of: script))'",
      "style-src 'sha256-\(try digest(of: style))'", "media-src blob:", "base-uri 'none'",
      "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// The SHA-256 of a text in base64: what a content policy names.
  static func digest(of text: String) throws(DatasetError) -> String {
    Data(try SHA256Digest(of: Array(text.utf8)).bytes).base64EncodedString()
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

/// The page's own files, which stand in `Page` and are built into the program.
enum PageAssets {
  /// The skeleton of the page, with a `{{name}}` where something is put in.
  static var template: String { text(PackageResources.page_html) }

  /// The style sheet: the theme that figures have, too, and what is the page's own.
  static var style: String { "\n" + Theme.css + text(PackageResources.page_css) }

  /// All scripts as one, closed off from the page's global names.
  static var script: String {
    let parts = scripts.map { text($0) }
    return "\n(() => {\n'use strict';\n\n" + parts.joined(separator: "\n") + "})();\n"
  }

  /// The scripts in the order in which they build on each other.
  private static var scripts: [[UInt8]] {
    [
      PackageResources.recording_js, PackageResources.track_js, PackageResources.csv_js,
      PackageResources.history_js, PackageResources.palette_js, PackageResources.figure_js,
      PackageResources.window_js, PackageResources.timeline_js, PackageResources.strips_js,
      PackageResources.video_js, PackageResources.autosave_js, PackageResources.files_js,
      PackageResources.keys_js, PackageResources.panel_js, PackageResources.app_js,
      PackageResources.commands_js, PackageResources.input_js, PackageResources.start_js,
    ]
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Numbers as a browser's typed arrays read them.
enum Base64 {
  /// The base64 of whole numbers, each in little-endian bytes.
  static func text<Number: FixedWidthInteger>(of numbers: [Number]) -> String {
    var bytes = Data(capacity: numbers.count * MemoryLayout<Number>.size)
    for number in numbers {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes.base64EncodedString()
  }
}
