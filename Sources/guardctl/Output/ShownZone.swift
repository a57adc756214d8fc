import Foundation
import JSONText
import ShiftDomain

/// The time zone in which people read times. Programs read UTC.
struct ShownZone: Sendable {
  let name: String
  private let zone: TimeZone

  /// `nil` for an unknown name.
  init?(_ name: String) {
    guard let zone = TimeZone(identifier: name) else { return nil }
    (self.name, self.zone) = (name, zone)
  }

  static let utc = ShownZone(name: "UTC", zone: .gmt)

  private init(name: String, zone: TimeZone) { (self.name, self.zone) = (name, zone) }

  /// That of the command under way. A value of the task, because nearly every sentence has a time.
  @TaskLocal static var current = ShownZone.utc

  /// Minutes to add to UTC; `nil`: it is UTC.
  func offset(at instant: Instant) -> Int? {
    // Calendars do not reach further; nobody reads such a time.
    guard name != "UTC", abs(instant.milliseconds / 1_000) < 250_000_000_000 else { return nil }
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
    return zone.secondsFromGMT(for: date) / 60
  }
}

/// An answer whose times are shown in a zone.
struct Zoned: Answer {
  var answer: any Answer
  var zone: ShownZone

  func lines(on surface: Surface) -> [String] {
    ShownZone.$current.withValue(zone) { answer.lines(on: surface) }
  }

  func notes(on surface: Surface) -> [String] {
    ShownZone.$current.withValue(zone) { answer.notes(on: surface) }
  }

  var json: JSONValue { answer.json }

  var exitStatus: ExitStatus { answer.exitStatus }
}
