import GuardRules
import ShiftDomain

/// The look of a span of time: colour and pattern together, so that either one is enough.
enum BarLook: CaseIterable, Sendable {
  case tracked, atRisk, permission, silent, pause, waiting, outage

  init(_ segment: CoverageSegment) {
    self =
      switch segment.reason {
      case .tracked: segment.isAtRisk ? .atRisk : .tracked
      case .onBreak: .pause
      case .restricted, .servicesOff, .denied, .notDetermined: .permission
      case .appTerminated, .noFix, .noContact, .mockLocation, .lowAccuracy, .pageHidden: .silent
      case .serviceUnavailable: .outage
      case .notAsked: .waiting
      case .waitingFirstFix, .resuming: .waiting
      }
  }

  /// Its CSS class; the most frequent look has none.
  var mark: HTML {
    switch self {
    case .tracked: ""
    case .atRisk: " class=r"
    case .permission: " class=p"
    case .silent: " class=s"
    case .pause: " class=b"
    case .waiting: " class=w"
    case .outage: " class=o"
    }
  }

  var name: HTML {
    switch self {
    case .tracked: "tracked"
    case .atRisk: "at risk"
    case .permission: "permission missing"
    case .silent: "silent or without position"
    case .pause: "break"
    case .waiting: "starting or not asked to track"
    case .outage: "service outage"
    }
  }

  /// Whether it is a gap that must stay visible however short.
  fileprivate var mustShow: Bool {
    switch self {
    case .permission, .silent, .outage: true
    case .tracked, .atRisk, .pause, .waiting: false
    }
  }
}

/// Segments as a drawing. One page has 500 of them, so each is as short as possible: percentages
/// need no view box, tracked time needs no class, and everything else is painted over it.
struct CoverageBar: Sendable {
  private var pieces: [(look: BarLook, from: Int64, to: Int64)] = []
  private var planned: [(from: Int64, to: Int64)]

  /// - Parameters:
  ///   - plannedShifts: Drawn as outlines behind the segments.
  ///   - startMin: Thousandths of the axis. A shorter start is drawn like the time before it,
  ///     because it would be narrower than a pixel.
  init(
    _ segments: [CoverageSegment], on axis: TimeAxis, plannedShifts: [Interval] = [],
    startMin: Int64 = 0
  ) {
    planned = plannedShifts.map { (axis.permille($0.start), axis.permille($0.end)) }
      .filter { $0.from < $0.to }
    for segment in segments {
      let look = BarLook(segment)
      let from = axis.permille(segment.interval.start)
      let to = max(
        axis.permille(segment.interval.end), look.mustShow ? min(from + 4, 1_000) : from)
      guard to > from else { continue }
      if look == .waiting, to - from < startMin {
        if let last = pieces.last, last.to >= from {
          pieces[pieces.count - 1].to = max(last.to, to)
        }
        continue
      }
      if let last = pieces.last, last.look == look, last.to >= from {
        pieces[pieces.count - 1].to = max(last.to, to)
      } else {
        pieces.append((look, from, to))
      }
    }
    layTrackedBelow()
  }

  /// Merges tracked time across other segments into one piece, and paints the others over it.
  private mutating func layTrackedBelow() {
    var grounds: [(look: BarLook, from: Int64, to: Int64)] = []
    var isGround = false
    var end = Int64.min
    for piece in pieces {
      if piece.from > end { isGround = false }
      end = max(end, piece.to)
      guard piece.look == .tracked else { continue }
      if isGround {
        grounds[grounds.count - 1].to = piece.to
      } else {
        grounds.append(piece)
      }
      isGround = true
    }
    pieces = grounds + pieces.filter { $0.look != .tracked }
  }

  /// Hidden from screen readers: the text beside it says the same.
  var drawing: HTML { "<svg role=none>\(rectangles)</svg>" }

  var rectangles: [HTML] {
    planned.map { rectangle($0.from, $0.to, " class=d") }
      + pieces.map { rectangle($0.from, $0.to, $0.look.mark) }
  }

  private func rectangle(_ from: Int64, _ to: Int64, _ mark: HTML) -> HTML {
    "<rect x=\(percent(from)) width=\(percent(to - from))\(mark) />"
  }

  private func percent(_ permille: Int64) -> HTML {
    permille % 10 == 0 ? "\(permille / 10)%" : "\(permille / 10).\(permille % 10)%"
  }

  /// The patterns that styles paint with; once a page.
  static let patterns: HTML = """
    <svg class="patterns" width="0" height="0" aria-hidden="true"><defs>\
    <pattern id="pp" width="6" height="6" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><path class="p1" d="M0 0h6v6H0z"/>\
    <path class="p2" d="M0 0h2.5v6H0z"/></pattern>\
    <pattern id="ps" width="5" height="5" patternUnits="userSpaceOnUse">\
    <path class="s1" d="M0 0h5v5H0z"/><circle class="s2" cx="2.5" cy="2.5" r="1.2"/></pattern>\
    <pattern id="pr" width="8" height="8" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(-45)"><path class="r1" d="M0 0h8v8H0z"/>\
    <path class="r2" d="M0 0h2v8H0z"/></pattern>\
    <pattern id="po" width="6" height="6" patternUnits="userSpaceOnUse">\
    <path class="o1" d="M0 0h6v6H0z"/><path class="o2" d="M0 0l6 6M6 0L0 6"/></pattern>\
    <pattern id="pb" width="5" height="5" patternUnits="userSpaceOnUse">\
    <path class="b1" d="M0 0h5v5H0z"/><path class="b2" d="M0 0h2v5H0z"/></pattern>\
    <pattern id="pw" width="6" height="6" patternUnits="userSpaceOnUse">\
    <path class="w1" d="M0 0h6v6H0z"/><path class="w2" d="M0 0h6v1.5H0zM0 3h6v1.5H0z"/></pattern>\
    </defs></svg>
    """

  static let legend = legend(and: "")

  /// - Parameter others: More items of the list.
  static func legend(and others: HTML) -> HTML {
    let looks = BarLook.allCases.map { look -> HTML in
      "<li><svg role=none><rect width=100%\(look.mark) /></svg>\(look.name)"
    }
    return """
      <ul class="legend" aria-label="What the bars show">\(looks)\(others)</ul>
      """
  }
}
