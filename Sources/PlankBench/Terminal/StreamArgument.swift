public import ArgumentParser
internal import PoseModel

extension PoseModel.AnswerStream: ArgumentParser.ExpressibleByArgument {}
