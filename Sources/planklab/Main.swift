internal import PlankBench

/// The process: everything else is PlankBench.
@main
enum Main {
  static func main() { CommandLineTool.main() }
}
