import GuardRules
import ShiftDomain
import TestNumbers

@testable import PhoneProtocols

/// 2026-01-05T08:10:00Z, when all bodies of these tests arrive.
let receipt = Instant(milliseconds: 1_767_600_600_000)

extension PhoneProtocol {
  static func read(
    _ body: String, query: [NamedValue] = [], headers: [NamedValue] = []
  ) -> PhoneReading {
    read(PhoneRequest(query: query, headers: headers, body: Array(body.utf8), receivedAt: receipt))
  }

  static func said(_ body: String, query: [NamedValue] = []) -> [String] {
    read(body, query: query).said
  }
}

extension PhoneReading {
  /// What the reading says, a line for each record and for each piece that is not understood.
  var said: [String] {
    records.map(\.said) + quarantined.map { "aside \($0.reason)" }
      + (ignoredCount > 0 ? ["ignored \(ignoredCount)"] : [])
  }
}

extension PhoneRecord {
  var said: String {
    switch self {
    case .ping(let ping):
      let words: [String?] = [
        ping.fix == nil ? "sign" : "fix", ping.recordedAt.said, ping.fix?.said,
        ping.batteryPercent.map { "\($0)%" }, ping.isMock ? "mock" : nil,
        ping.isResting ? "rest" : ping.isStationary ? "still" : nil,
      ]
      return words.compactMap { $0 }.joined(separator: " ")
    case .report(let report):
      return "report \(report.recordedAt?.said ?? "now") \(report.said(on: .unknown))"
    case .event(let event):
      return "event \(event.recordedAt.said) \(event.kind.code)"
        + (event.shiftRegions.isEmpty ? "" : " of a shift")
    }
  }
}

extension PhoneReport {
  /// Authorization, how to grant it, accuracy, location services; `-` for unknown.
  func said(on platform: Platform, osMajor: Int? = nil) -> String {
    let state = permission.values(osMajor: osMajor).reading(on: platform).state
    return [
      state.authorization.code, state.grantPath.code, state.accuracy.code, state.services.code,
    ].map { $0 == "unknown" ? "-" : $0 }.joined(separator: " ")
  }
}

extension Fix {
  var said: String {
    let words: [String?] = [
      "\(coordinate.latitude),\(coordinate.longitude)", accuracyMeters.map { "±\($0.said)" },
      speedMetersPerSecond.map { "\($0.said)m/s" }, headingDegrees.map { "\($0.said)°" },
      altitudeMeters.map { "\($0.said)m" },
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}

extension Double {
  /// Up to two decimals.
  fileprivate var said: String {
    let rounded = (self * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension Instant {
  /// The time alone on the day of these tests.
  fileprivate var said: String {
    let text = rfc3339.hasSuffix(".000Z") ? rfc3339.dropLast(5) + "Z" : rfc3339[...]
    return String(text.hasPrefix("2026-01-05T") ? text.dropFirst(11).dropLast() : text)
  }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}

typealias SeededRandom = TestNumbers.SeededRandom
