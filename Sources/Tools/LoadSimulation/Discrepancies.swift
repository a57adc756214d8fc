import ShiftDomain

/// The differences between the database and the server's responses to phones.
package struct Discrepancies: Sendable, Equatable {
  /// Acknowledged, but not stored.
  package var lost: [String] = []
  /// Stored more than once.
  package var doubled: [String] = []
  /// Refused, but stored.
  package var keptThoughRefused: [String] = []
  /// Stored, but never sent.
  package var unheardOf: [String] = []
  /// The number of records that are stored as acknowledged.
  package var confirmed = 0

  /// No differences yet.
  package init() {}

  /// Whether there are no differences.
  package var isEmpty: Bool {
    lost.isEmpty && doubled.isEmpty && keptThoughRefused.isEmpty && unheardOf.isEmpty
  }

  /// Compares one phone's record with its stored data.
  /// - Parameters:
  ///   - pings: `recordedAt` of every stored ping from the record's start to its last ping.
  ///   - reports: The sequence of every stored report from the record's first to its last.
  package mutating func compare(
    _ record: PhoneRecord, withPings pings: [Instant], andReports reports: [Int64]
  ) {
    let device = "\(record.device.employee.rawValue)/\(record.device.number)"
    var times: [Int64: Int] = [:]
    for time in pings { times[time.milliseconds, default: 0] += 1 }
    for (number, status) in record.pings.enumerated() {
      let time = record.recordedAt(number)
      let found = times.removeValue(forKey: time.milliseconds) ?? 0
      judge(status, found) { "ping of \(device) recorded at \(time.milliseconds)" }
    }
    unheardOf += times.keys.sorted().map { "ping of \(device) recorded at \($0)" }
    var sequences: [Int64: Int] = [:]
    for sequence in reports { sequences[sequence, default: 0] += 1 }
    for (sequence, status) in record.reports.sorted(by: { $0.key < $1.key }) {
      judge(status, sequences.removeValue(forKey: sequence) ?? 0) {
        "report \(sequence) of \(device)"
      }
    }
    unheardOf += sequences.keys.sorted().map { "report \($0) of \(device)" }
  }

  private mutating func judge(_ status: SendStatus, _ found: Int, _ name: () -> String) {
    switch (status, found) {
    case (_, 2...): doubled.append(name())
    case (.acknowledged, 0): lost.append(name())
    case (.acknowledged, _): confirmed += 1
    case (.refused, 1): keptThoughRefused.append(name())
    case (.unsent, 1): unheardOf.append(name())
    default: break
    }
  }
}
