import ShiftDomain

extension Script {
  /// The maximum size of a script, in bytes.
  package static let bytesMax = 1 << 20

  /// Reads a script.
  /// - Parameter variables: The values of `$NAME`.
  package init(parsing text: String, variables: [String: String] = [:]) throws(ScriptFault) {
    guard text.utf8.count <= Self.bytesMax else {
      throw ScriptFault(line: 0, message: "the script is longer than 1 MiB")
    }
    self.init(stages: [])
    var parts: [Part] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, content) in lines.enumerated() {
      var words = try Words(content, line: index + 1, variables: variables)
      if words.isEmpty { continue }
      if words.take("wait") {
        if !parts.isEmpty { stages.append(.together(parts)) }
        parts = []
        stages.append(.pause(try words.span("time to wait")))
        try words.end()
      } else {
        try Self.add(&words, to: &parts)
      }
    }
    if !parts.isEmpty { stages.append(.together(parts)) }
    if stages.isEmpty { throw ScriptFault(line: 0, message: "the script is empty") }
  }

  /// Adds one phone's line to its part of the stage.
  private static func add(_ words: inout Words, to parts: inout [Part]) throws(ScriptFault) {
    let isEnrolment = words.take("phone")
    let name = try words.next("name")
    guard isName(name) else {
      throw words.fault("`\(name)` is not a valid name: use 1 to 40 letters, digits, - and _")
    }
    var index = parts.firstIndex { $0.phone == name }
    if !isEnrolment && words.take("expect") {
      guard let index, let last = parts[index].steps.indices.last else {
        throw words.fault("`expect` needs a step of `\(name)` since the last wait")
      }
      parts[index].steps[last].expectations.append(try words.expectation())
      return try words.end()
    }
    // The words of an enrolment are not kept: one of them is a secret.
    var text = isEnrolment ? "enrol" : words.written
    let act = isEnrolment ? try words.enrolment() : try words.act()
    try words.end()
    if case .play(let play) = act, let file = play.file.split(separator: "/").last {
      text = text.replacing(play.file, with: file)
    }
    if index == nil {
      index = parts.count
      parts.append(Part(phone: name, steps: []))
    }
    guard let index else { return }
    parts[index].steps.append(Step(line: words.line, text: text, act: act, expectations: []))
  }

  private static func isName(_ word: String) -> Bool {
    (1...40).contains(word.utf8.count)
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
