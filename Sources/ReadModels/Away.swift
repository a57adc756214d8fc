import GuardRules
import ShiftDomain

/// A time away from all sites as stored.
package struct AwayRow: Hashable, Sendable {
  /// Its number within the shift, from 1, in the order in which they were found.
  package var number: Int16
  package var span: AwaySpan

  package init(_ number: Int16, _ span: AwaySpan) { (self.number, self.span) = (number, span) }
}

extension [AwayRow] {
  /// `found` under the numbers of those stored that they touch, and others under new ones: late
  /// positions may move the start of a time away, which stays the same one.
  /// - Parameters:
  ///   - found: In order.
  ///   - last: The highest number that was given.
  package func renewed(by found: [AwaySpan], after last: Int16) -> [AwayRow] {
    var (rows, left, last) = ([AwayRow](), self, last)
    for span in found {
      if let place = left.firstIndex(where: { $0.span.touches(span) }) {
        rows.append(AwayRow(left.remove(at: place).number, span))
      } else if last < .max {
        last += 1
        rows.append(AwayRow(last, span))
      }
    }
    return rows
  }

  /// Those within the present span of their shift, which may have ended or been corrected since.
  package func within(_ shift: ShiftSpan) -> [AwaySpan] {
    compactMap { row in
      let start = Swift.max(row.span.start, shift.start)
      let end = [row.span.end, shift.end].compactMap(\.self).min()
      return end.map { start < $0 } ?? true ? AwaySpan(from: start, to: end) : nil
    }
  }
}

extension AwaySpan {
  fileprivate func touches(_ other: AwaySpan) -> Bool {
    (end.map { $0 > other.start } ?? true) && (other.end.map { $0 > start } ?? true)
  }
}

/// A clock-out that ended a shift, and whether it was made off site.
package struct ClockOutPlace: Hashable, Sendable {
  package var at: Instant
  package var isOffSite: EndedOffSite

  package init(at: Instant, isOffSite: EndedOffSite) {
    (self.at, self.isOffSite) = (at, isOffSite)
  }
}
