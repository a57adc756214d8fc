import CivilTime
import GuardRules
import HTTPServing
import ReadModels
import ShiftDomain

/// The file of a time sheet: a line for each shift, with the columns that payroll wants.
struct TimeSheetText {
  private let settings: PayrollSettings
  private let teams: [TeamID: String]

  init(_ teams: [TeamDay], _ settings: PayrollSettings) {
    self.settings = settings
    self.teams = Dictionary(teams.map { ($0.team, $0.name) }, uniquingKeysWith: { $1 })
  }

  var head: [UInt8] {
    var table = CSVText(settings.columns.map(\.code))
    return table.take()
  }

  func rows(of lines: [TimeSheetLine], _ visits: [ShiftID: [SiteVisit]]) -> [UInt8] {
    var table = CSVText()
    var times: [String: CivilTime] = [:]
    for line in lines {
      for entry in line.entries {
        let zone = entry.place.timeZone
        let time = times[zone] ?? CivilTime(zone: zone)
        times[zone] = time
        table.add(settings.columns.map { field($0, of: entry, line, time, visits) })
      }
    }
    return table.take()
  }

  private func field(
    _ column: TimeSheetColumn, of entry: TimeSheetEntry, _ line: TimeSheetLine,
    _ time: CivilTime?, _ visits: [ShiftID: [SiteVisit]]
  ) -> String {
    let times = entry.times
    return switch column {
    case .employee: String(line.employee.rawValue)
    case .name: line.name
    case .team: teams[entry.place.team] ?? ""
    case .timeZone: entry.place.timeZone
    case .shift: String(times.shift.number)
    case .date: entry.place.date.text
    case .start: clock(times.startedAt, time)
    case .endDate: times.endedAt.flatMap { time?.date(of: $0).text } ?? ""
    case .end: clock(times.endedAt, time)
    case .breaks: hours(times.isFinal ? times.breaks : nil)
    case .duration: hours(times.isFinal ? times.length : nil)
    case .worked: hours(times.isFinal ? times.worked : nil)
    case .paid: hours(times.isFinal ? times.paid : nil)
    case .corrections: times.corrections.map { String($0) } ?? ""
    case .trackingRate: entry.permille.map { "\($0 / 10).\($0 % 10)" } ?? ""
    case .state: times.state.code
    case .approvedBy: times.approval?.by ?? ""
    case .approvedAt: times.approval?.at.rfc3339 ?? ""
    case .confirmedAt: times.confirmedAt?.rfc3339 ?? ""
    case .startedAt: times.startedAt.rfc3339
    case .endedAt: times.endedAt?.rfc3339 ?? ""
    case .sites:
      (visits[times.shift] ?? []).map { $0.text { time?.clock($0) ?? "" } }.joined(separator: "; ")
    }
  }

  private func hours(_ span: TimeSpan?) -> String {
    guard let span else { return "" }
    switch settings.hoursFormat {
    case .minutes: return span.hoursAndMinutes
    case .decimal:
      let hundredths = (span.milliseconds + 18_000) / 36_000
      return "\(hundredths / 100).\((hundredths % 100).twoDigits)"
    case .seconds:
      let seconds = (span.milliseconds + 500) / 1_000
      return "\(seconds / 3_600):\((seconds / 60 % 60).twoDigits):\((seconds % 60).twoDigits)"
    }
  }

  /// Cut, as clocks show it, with seconds where hours have them. Hours are rounded: they may differ
  /// from what two clock times say by about a minute, or by a second where there are seconds.
  private func clock(_ instant: Instant?, _ time: CivilTime?) -> String {
    guard let instant, let time else { return "" }
    let seconds = settings.hoursFormat == .seconds ? ":\(time.second(instant).twoDigits)" : ""
    return time.clock(instant) + seconds
  }
}

extension CivilTime {
  /// `08:05`
  fileprivate func clock(_ instant: Instant) -> String {
    let seconds = secondsOfDay(at: instant)
    return "\((seconds / 3_600).twoDigits):\((seconds / 60 % 60).twoDigits)"
  }

  fileprivate func second(_ instant: Instant) -> Int { Int(secondsOfDay(at: instant) % 60) }
}

extension BinaryInteger {
  fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
