/// What is easy to read: 100 columns, 50 lines per function, 400 lines per file.
enum SizeRule {
  static let columnsMax = 100
  static let functionLinesMax = 50
  static let fileLinesMax = 400

  static func objections(to file: SourceFile) -> [Objection] {
    var found: [Objection] = []
    if file.lines.count > fileLinesMax + 1 {
      found.append(
        Objection(path: file.path, line: 0, message: "\(file.lines.count - 1) lines"))
    }
    for (index, line) in file.lines.enumerated() where line.count > columnsMax {
      found.append(
        Objection(path: file.path, line: index + 1, message: "\(line.count) columns"))
    }
    for function in functions(of: file) where function.count > functionLinesMax {
      found.append(
        Objection(
          path: file.path, line: function.lowerBound + 1,
          message: "a function of \(function.count) lines"))
    }
    return found
  }

  /// The lines, from 0, of every function with a body, nested ones too: from the line of its
  /// keyword to that of its closing brace.
  static func functions(of file: SourceFile) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    var braces = 0
    var parentheses = 0
    var declared: (line: Int, parentheses: Int)?
    var open: [(line: Int, braces: Int)] = []
    for (index, line) in file.code.enumerated() {
      for (place, word) in words(line).enumerated() {
        switch word {
        case "func", "init", "deinit", "subscript":
          // `self.init(` and `.init(` are calls; a requirement of a protocol has no body.
          let before = place > 0 ? words(line)[place - 1] : ""
          if before != "." { declared = (index, parentheses) }
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{":
          if let start = declared, start.parentheses == parentheses {
            open.append((start.line, braces))
            declared = nil
          }
          braces += 1
        case "}":
          braces -= 1
          declared = nil
          if let last = open.last, last.braces == braces {
            found.append(last.line...index)
            open.removeLast()
          }
        case "var", "let", "case": declared = nil
        default: break
        }
      }
    }
    return found
  }
}
