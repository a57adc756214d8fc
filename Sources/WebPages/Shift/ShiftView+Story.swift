import GuardRules
import ReadModels
import ShiftDomain

extension ShiftView {
  /// The words of the story, with times of the team.
  var storyLines: [StoryLine] {
    StoryWords(
      details, visits: visits, time: { otherDay($0) + clock.hourAndMinute($0) },
      span: { span in
        span.end.map { clock.span(span.start, $0) } ?? "\(clock.short(span.start))–open"
      }
    ).lines
  }

  var story: HTML {
    """
    <section aria-labelledby="story"><h2 id="story">What happened</h2>
    <ol class="timeline">\(storyLines.map { html(for: $0) })</ol></section>
    """
  }

  private func html(for line: StoryLine) -> HTML {
    let entry = line.entry
    return """
      <li\(entry.content.mark)><time>\(otherDay(entry.at))\(clock.toTheSecond(entry.at))</time>\
      <div>\(entry.content.chip)\(line.text)\(length(of: entry))\
      \(line.details.map { "<p>\($0)</p>" as HTML })</div>

      """
  }

  /// The day of an instant, unless the shift began on it.
  private func otherDay(_ instant: Instant) -> String {
    let day = clock.shortDay(instant)
    return day == clock.shortDay(details.row.startedAt) ? "" : "\(day), "
  }

  /// How long it lasted, or has lasted so far.
  private func length(of entry: StoryEntry) -> HTML {
    let end = entry.until.map { until in
      entry.content.isSegment ? "" : ", until \(otherDay(until))\(clock.hourAndMinute(until))"
    }
    guard entry.content.lasts else { return "" }
    let span = (entry.until ?? details.coverage.asOf) - entry.at
    return "<span>\(span.words)\(end ?? " so far")</span>"
  }
}

extension StoryContent {
  /// What fills the shift's time without a gap.
  fileprivate var isSegment: Bool {
    if case .spent = self { true } else { false }
  }

  fileprivate var chip: HTML {
    guard case .spent(let segment, _) = self else { return "" }
    return """
      <svg class="chip" aria-hidden="true"><rect width="100%"\(BarLook(segment).mark) /></svg>
      """
  }

  fileprivate var mark: HTML {
    switch self {
    case .spent(let segment, _) where segment.reason == .tracked: " class=\"good\""
    case .spent(let segment, _) where segment.reason.isLost: " class=\"bad\""
    case .ended(let ending) where ending?.needsReview == true: " class=\"bad\""
    case .impaired, .offline: " class=\"bad\""
    case .notified, .noted, .corrected, .timesConfirmed, .approved, .objected:
      " class=\"said\""
    default: ""
    }
  }
}

extension CoverageReason {
  /// Untracked time that counts.
  fileprivate var isLost: Bool {
    switch self {
    case .tracked, .onBreak, .serviceUnavailable, .notAsked, .waitingFirstFix, .resuming: false
    default: true
    }
  }
}
