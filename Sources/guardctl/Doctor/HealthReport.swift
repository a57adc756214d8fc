import CommandParsing
import JSONText
import ShiftDomain

/// One thing that was examined, with what to do unless it is well.
struct HealthCheck: Equatable, Sendable {
  enum Level: String, Sendable {
    case ok = "OK"
    case warn = "WARN"
    case fail = "FAIL"
  }

  var level: Level
  var subject: String
  var detail: String
  var remedy: String?

  static func ok(_ subject: String, _ detail: String) -> HealthCheck {
    HealthCheck(level: .ok, subject: subject, detail: detail)
  }

  static func warn(_ subject: String, _ detail: String, _ remedy: String) -> HealthCheck {
    HealthCheck(level: .warn, subject: subject, detail: detail, remedy: remedy)
  }

  static func fail(_ subject: String, _ detail: String, _ remedy: String) -> HealthCheck {
    HealthCheck(level: .fail, subject: subject, detail: detail, remedy: remedy)
  }
}

struct HealthReport: Answer {
  var checks: [HealthCheck]

  /// The worst level: 0, 1 or 2.
  var exitStatus: ExitStatus {
    let levels = Set(checks.map(\.level))
    return levels.contains(.fail) ? .block : levels.contains(.warn) ? .warn : .done
  }

  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else { return rows.lines(on: surface) }
    let width = checks.map(\.subject.count).max() ?? 0
    return checks.flatMap { check in
      let head = check.level.rawValue.padded(to: 6) + check.subject.padded(to: width + 2)
      let indent = String(repeating: " ", count: head.count)
      let lines =
        check.detail.showable.hanging(after: head)
        + (check.remedy.map { $0.showable.hanging(after: indent + "→ ") } ?? [])
      return lines.enumerated().map { index, line in
        guard index == 0 else { return line }
        let word = check.level.rawValue
        return surface.styling.apply(.bold, check.level.colour, to: word)
          + line.dropFirst(word.count)
      }
    }
  }

  var json: JSONValue {
    JSONValue(checks) { check in
      [
        "result": .string(check.level.rawValue.lowercased()),
        "check": .string(check.subject),
        "detail": .string(check.detail),
        "remedy": check.remedy.map { .string($0) },
      ]
    }
  }

  private var rows: [[Field]] {
    checks.map { check in
      [
        Field("result", .text(check.level.rawValue.lowercased())),
        Field("check", .text(check.subject)),
        Field("detail", .text(check.detail)),
        Field("remedy", FieldValue(check.remedy)),
      ]
    }
  }
}

extension HealthCheck.Level {
  fileprivate var colour: Styling.Style {
    switch self {
    case .ok: .green
    case .warn: .yellow
    case .fail: .red
    }
  }
}
