import Foundation
import TestSupport
import Testing

enum PretendedPython {
  /// Writes a shell script that is called as Python is, and gives its path.
  static func program(in workspace: Workspace, _ body: String) throws -> String {
    let path = try workspace.write(
      "#!/bin/sh\n[ \"$1 $2\" = '-I -c' ] || exit 9\nshift\nprintf '%s' \"$2\" > \"$0.script\"\n"
        + "\(body)\n",
      to: "python")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  static func working(in workspace: Workspace, model: String? = nil) throws -> String {
    try workspace.write(table, to: "table.csv")
    return try program(
      in: workspace,
      """
      cp '\(workspace.path("table.csv"))' "$4"
      [ -z "$5" ] || cp '\(workspace.path("table.csv"))' "$5"
      printf '%s\\n' "$3" "$6" "$7" "$8" "$9" > "$0.arguments"
      echo 'INFO: a line of a library'
      echo '{"share":0.5}'
      echo '\(summary(frames: 4, model: model))'
      """)
  }

  static func summary(frames: Int, model: String? = nil) -> String {
    """
    {"summary":{"frames":\(frames),"found":\(max(0, frames - 1)),"repeated":1,"without_picture":0,\
    "width":640,"height":480,"read":0,"announced":0,"version":"0.10.21","python":"3.11.7",\
    "model":\(model.map { "\"\($0)\"" } ?? "null")}}
    """
  }

  private static var table: String {
    let body: [(String, Double, Double)] = [
      ("shoulder", 0.2, -0.5), ("elbow", 0.22, -0.25), ("wrist", 0.23, 0), ("hip", 0.1, 0),
      ("knee", 0.1, 0.45), ("ankle", 0.1, 0.9),
    ]
    let points = body.flatMap { [("left_\($0)", $1, $2), ("right_\($0)", -$1, $2)] }
    var text = "label,seconds"
    for (name, _, _) in points { for axis in "xyzv" { text += ",\(name)_\(axis)" } }
    for frame in 0..<4 {
      text += "\nframe,\(Double(frame) / 10)"
      for (_, x, y) in points { text += frame == 1 ? ",,,," : ",\(x),\(y),0,1" }
    }
    return text + "\n"
  }
}

@Suite("Recording movies")
struct RecordTests {
  #if !canImport(Vision)
    @Test("Without Vision the command says what to run instead")
    func noVision() throws {
      let workspace = try Workspace()
      let movie = try workspace.write("pictures", to: "my movie.mov")
      let output = workspace.path("planks")
      try Program.run("record", movie, "--output", output).expect(
        64,
        errors:
          "find poses with MediaPipe: planklab record '\(movie)' --output \(output) --with=mediapipe"
      )
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  #endif

  @Test("A movie becomes a dataset that can be shown, linted and labeled beside the movie")
  func works() throws {
    let workspace = try Workspace()
    let python = try PretendedPython.working(in: workspace)
    let movie = try workspace.write("pictures", to: "it's a -\"movie\".mov")
    let output = workspace.path("planks")
    let run = try Program.run(
      "record", movie, "--with", "mediapipe", "--python", python, "--output", output,
      "--every", "2", "--end", "1:20", "--subject", "anna", "--2d"
    ).expect(0)
    #expect(run.output == "wrote \(output): 1 sequence, 4 frames, 3 of them with a pose\n")
    #expect(run.errors.contains("1 frame left out, not later than the frame before"))
    #expect(run.errors.contains("next: planklab label \(output)"))
    let arguments = try Program.text(python + ".arguments")
    #expect(arguments.hasSuffix("/it's a -\"movie\".mov\n2\n0.0\n80.0\n\n"))
    let script = try Repository.text("Sources/PlankBench/Record/Script/movie_landmarks.py")
    #expect(try Program.text(python + ".script") == script)

    let name = "it-s-a---movie-"
    let manifest = try Program.text(output + "/dataset.yaml")
    #expect(manifest.contains("video: videos/\(name).mov"))
    let poses = try Program.text(output + "/recordings/\(name).poses.jsonl").split(separator: "\n")
    #expect(poses.count == 5 && poses[2] == "{\"t\":0.100000,\"p\":null}")
    for folder in [output, output + "-2d"] {
      try Program.run("dataset", "lint", folder).expect(0)
    }
    #expect(try Program.run("dataset", "show", output).output.contains("anna"))
    let page = output + ".html"
    try Program.run("label", output, "--html", page).expect(0)
    #expect(
      try Program.text(page).contains("planks/videos/\(name).mov"))
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: output))
        == ["dataset.yaml", "recordings", "videos"])
  }

  @Test(
    "What goes wrong is said with its remedy, and nothing appears",
    arguments: [
      (
        "echo '{\"failure\":{\"kind\":\"package\",\"text\":\"No module named cv2\"}}'; exit 1", 66,
        "No module named cv2; install MediaPipe"
      ),
      (
        failure("package", "No module named cv2", python: "3.12.1"), 66,
        "python -m venv mediapipe && mediapipe/bin/pip install mediapipe==0.10.21, and give --python "
          + "mediapipe/bin/python\n"
      ),
      (
        failure("no_model", "mediapipe 1.2.3 has no model in its package", python: "3.12.1"), 66,
        "package; give --model pose_landmarker_full.task: Google publishes it on MediaPipe's page "
          + "\"Pose landmark detection guide\"; or install an older version, which has one: "
      ),
      (
        "echo '{\"failure\":{\"kind\":\"movie\",\"text\":\"it cannot be opened as a movie\"}}'; exit 1",
        65, "a.mov: it cannot be opened as a movie"
      ),
      ("echo one >&2; echo two >&2; exit 3", 1, "ended early: one | two"),
      ("kill -9 $$", 1, "ended early: it said nothing"),
      (
        "echo '\(PretendedPython.summary(frames: 0))'", 65,
        "a.mov: no frame; give a movie that contains pictures"
      ),
    ] as [(String, Int32, String)])
  func failures(body: String, status: Int32, message: String) throws {
    let workspace = try Workspace()
    let python = try PretendedPython.program(in: workspace, body)
    let movie = try workspace.write("pictures", to: "a.mov")
    let run = try Program.run(
      "record", movie, "--with", "mediapipe", "--python", python, "--output",
      workspace.path("planks")
    ).expect(status)
    #expect(run.words.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
        .allSatisfy { !$0.hasPrefix("planks") })
  }

  private static func failure(
    _ kind: String, _ text: String, python: String, isEnvironment: Bool = false
  ) -> String {
    "echo '{\"failure\":{\"kind\":\"\(kind)\",\"text\":\"\(text)\",\"python\":\"\(python)\","
      + "\"is_environment\":\(isEnvironment)}}'; exit 1"
  }

  @Test("A bundle of models is handed on, and the dataset names it and the versions")
  func model() throws {
    let workspace = try Workspace()
    let python = try PretendedPython.working(in: workspace, model: "0123456789abcdef")
    try workspace.write("pictures", to: "a.mov")
    try workspace.write("models", to: "my -pose.task")
    let run = try workspace.shell(
      "planklab record a.mov --with mediapipe --python '\(python)' --model './my -pose.task' --2d "
        + "--output planks"
    ).expect(0)
    let arguments = try Program.text(python + ".arguments")
    #expect(arguments.hasSuffix("/my -pose.task\n"))
    let estimator =
      "MediaPipe 0.10.21 with my -pose.task (SHA-256 0123456789ab) in Python 3.11.7"
    #expect(run.errors.contains("found by \(estimator)"))
    for folder in ["planks", "planks-2d"] {
      let manifest = try workspace.text(folder + "/dataset.yaml")
      #expect(manifest.contains("estimator: \"\(estimator)\""), "\(manifest)")
      try Program.run("dataset", "lint", workspace.path(folder)).expect(0)
    }
  }

  @Test("A bundle that cannot be used is named")
  func badModel() throws {
    let workspace = try Workspace()
    let python = try PretendedPython.program(
      in: workspace, Self.failure("model", "it lacks two models", python: "3.13.0"))
    try workspace.write("pictures", to: "a.mov")
    try workspace.write("models", to: "hand.task")
    try workspace.shell(
      "planklab record a.mov --with mediapipe --python '\(python)' --model hand.task "
        + "--output planks"
    ).expect(65, errors: "hand.task: it lacks two models; give pose_landmarker_full.task")
    #expect(!FileManager.default.fileExists(atPath: workspace.path("planks")))
  }

  @Test(
    "Python takes no module from the current folder, nor from where its variables point",
    .enabled(if: Program.hasPython, "not on this system: needs Python 3.10"))
  func isolation() throws {
    let workspace = try Workspace()
    try workspace.write("no movie", to: "a.mov")
    let modules = ["json", "os", "re", "zipfile", "hashlib", "cv2", "mediapipe", "sitecustomize"]
    for folder in ["", "elsewhere/"] {
      for module in modules {
        try workspace.write("open('ran', 'a').write('\(module)')\n", to: "\(folder)\(module).py")
      }
    }
    let line = "planklab record a.mov --with mediapipe --output planks"
    for variables in ["", "PYTHONPATH=. ", "PYTHONPATH='\(workspace.path("elsewhere"))' "] {
      // Without MediaPipe that is missing; with it, the movie is none.
      let run = try workspace.shell(variables + line)
      #expect([65, 66].contains(run.status), "\(run.errors)")
      #expect(
        !FileManager.default.fileExists(atPath: workspace.path("ran")), "\(variables)ran a module")
    }
    // The modules would run.
    _ = try workspace.shell("PYTHONPATH=. python3 -c 'import json'")
    #expect(FileManager.default.fileExists(atPath: workspace.path("ran")))
  }

  @Test("Where nothing can be written, that is said, although the script cannot say so")
  func noRoom() throws {
    let workspace = try Workspace()
    try workspace.write("pictures", to: "a.mov")
    let python = try PretendedPython.program(in: workspace, "exit 3")
    // The outputs of a test are files; only a pipe has no limit.
    let run = try workspace.shell(
      "(trap '' XFSZ; ulimit -f 0; planklab record a.mov --with mediapipe --python '\(python)' "
        + "--output planks 2>&1; echo \"exit $?\") | cat")
    #expect(run.output.contains("size limit") && run.output.contains("exit 73"), "\(run.output)")
    #expect(!FileManager.default.fileExists(atPath: workspace.path("planks")))
  }

  @Test(
    "Wrong options and places are refused before anything is read",
    arguments: [
      (["none.mov"], 66), (["a.mov", "a.mov"], 64), (["a.mov", "--every", "0"], 64),
      (["a.mov", "--start", "2", "--end", "1"], 64), (["a.mov", "--start", "-1"], 64),
      (["a.mov", "--jobs", "0"], 64), ([], 64), (["a.mov", "--python", "no-such-python"], 66),
      (["a.mov", "--with", "openpose"], 64), (["a.mov", "--model", "none.task"], 66),
      (["a.mov", "--model", "."], 66), (["a.mov", "--with", "vision", "--model", "a.task"], 64),
    ] as [([String], Int32)])
  func refused(arguments: [String], status: Int32) throws {
    let workspace = try Workspace()
    try workspace.write("pictures", to: "a.mov")
    let python = try PretendedPython.working(in: workspace)
    let words = arguments + (arguments.contains("--python") ? [] : ["--python", python])
    try workspace.shell(
      "planklab record --output planks "
        + (arguments.contains("--with") ? "" : "--with mediapipe ")
        + words.joined(separator: " ")
    ).expect(status)
    #expect(!FileManager.default.fileExists(atPath: workspace.path("planks")))
  }
}
