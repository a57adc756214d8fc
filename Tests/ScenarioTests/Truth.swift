import ShiftDomain

/// What a script says is true of an employee, from its lines so far.
struct Truth: Hashable, Sendable {
  /// What is true from a time on.
  enum Statement: Hashable, Sendable {
    /// The segments of coverage from the first one's start on; the last one holds now.
    case coverage([SegmentWords])
    case open([IncidentWords])
    /// The verdict and the findings, in order, of a clock-in.
    case finds(String)
  }

  /// The coverage so far. `off_shift` is no segment, but ends them.
  private(set) var segments: [SegmentWords] = []
  private(set) var open: [IncidentWords] = []
  private(set) var finds = ""

  mutating func take(_ statement: Statement) {
    switch statement {
    case .coverage(let new):
      segments.removeAll { segment in new.contains { $0.start <= segment.start } }
      for segment in new {
        var last = segments.last
        last?.start = segment.start
        if last != segment { segments.append(segment) }
      }
      if !isOnShift { open = [] }
    case .open(let incidents): open = incidents
    case .finds(let words): finds = words
    }
  }

  var isOnShift: Bool { segments.last.map { $0.reason != "off_shift" } ?? false }

  /// The tracking state with its reason.
  var tracking: String {
    guard let last = segments.last else { return "off_shift" }
    return switch last.reason {
    case "tracked": last.isAtRisk ? "at_risk" : "tracked"
    case "on_break", "off_shift": last.reason
    default: "not_tracked \(last.reason)"
    }
  }

  /// The segments of a shift's coverage; nothing if none has begun.
  var coverage: String {
    segments.filter { $0.reason != "off_shift" }.map(\.text).joined(separator: "; ")
  }

  /// The open incidents, by kind.
  var incidents: String { Self.text(open) }

  static func text(_ incidents: [IncidentWords]) -> String {
    incidents.map { "\($0.kind) \(timeWords($0.start))" }.sorted().joined(separator: ", ")
  }
}
