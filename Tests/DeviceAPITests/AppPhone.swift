import DeviceAPI
import HTTPServing
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

/// A phone with an app from a store.
struct AppPhone: Sendable {
  let world: DeviceWorld
  let app: PhoneApp
  let device: DeviceID
  let token: String

  /// Sends a message. Traccar Client has the token as its identifier.
  func post(_ body: String) async throws -> Answer {
    let query = app == .traccar ? "?id=\(token)" : ""
    return try await world.post(app.path + query, body, token: token)
  }
}

extension DeviceWorld {
  /// Enrols an app for employee 7.
  func app(_ app: PhoneApp, interval: TimeSpan? = nil) async throws -> AppPhone {
    let new = try await operations.people.enrol(
      PhoneAppRequest(app, on: .ios, interval: interval), for: EmployeeID(7),
      by: .arranger)
    return AppPhone(world: self, app: app, device: new.device, token: new.token)
  }

  /// The same, after it has taken over a shift that began on the page.
  func appOnShift(_ app: PhoneApp, interval: TimeSpan? = nil) async throws -> AppPhone {
    let page = try await phone(platform: "web")
    _ = try await page.report("always")
    try #require(try await page.clockIn().status == 201)
    let phone = try await self.app(app, interval: interval)
    wait(.seconds(30))
    let answer = try await phone.post(position(for: app))
    try #require(answer.status == 200)
    try #require(try await count("SELECT count(*) FROM ping WHERE device_no = 2") == 1)
    return phone
  }

  /// Erases employee 7, and gives the number to another one.
  func replaceEmployee(by name: String = "Bea") async throws {
    _ = try await operations.people.erase(EmployeeID(7), endsShift: true, by: .arranger)
    _ = try await operations.people.addEmployee(
      EmployeeID(7), mayReuse: true, EmployeeDetails(name: name, team: TeamID(1)), by: .arranger
    ).get()
  }

  /// A message with a position of now.
  func position(for app: PhoneApp, at instant: Instant? = nil) -> String {
    let now = instant ?? now
    let seconds = now.milliseconds / 1_000
    return switch app {
    case .ownTracks:
      #"{"_type":"location","lat":52.5201,"lon":13.4049,"tst":\#(seconds),"acc":12,"tid":"07"}"#
    case .overland:
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"timestamp":"\#(now.rfc3339)","horizontal_accuracy":12}}]}"#
    case .traccar: "lat=52.5201&lon=13.4049&timestamp=\(seconds)&accuracy=12.0"
    case .transistorsoft:
      #"{"location":{"timestamp":"\#(now.rfc3339)","coords":{"latitude":52.52,"longitude":13.4}}}"#
    }
  }
}
