/// The page's own files, which stand in `Page` and are built into the program.
enum PageAssets {
  /// The skeleton of the page, with a `{{name}}` where something is put in.
  static var template: String { text(PackageResources.page_html) }

  /// The style sheet.
  static var style: String { "\n" + text(PackageResources.page_css) }

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
