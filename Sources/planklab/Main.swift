internal import PlankBench

/// The entry point of the process; everything else is in PlankBench.
@main
enum Main {
  static func main() { CommandLineTool.main() }
}
