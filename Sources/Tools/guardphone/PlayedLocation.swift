import Foundation
import GuardClient
import GuardRules
import PhoneSimulation
import ShiftDomain

/// Positions from a track, and a permission that the person at the terminal changes.
actor PlayedLocation: LocationAdapter {
  private var points: ArraySlice<Recording.Point>
  private var authorization = Authorization.notDetermined

  init(_ track: Recording) { points = track.points[...] }

  var isAtEnd: Bool { points.isEmpty }
  func end() { points = [] }
  func become(_ authorization: Authorization) { self.authorization = authorization }

  func permission() -> PlatformPermission {
    PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given([.denied: 2, .always: 3, .whenInUse: 4][authorization] ?? 0),
          accuracyAuthorization: .given(0), locationServicesEnabled: .given(true))))
  }

  func currentFix() -> RecordedPing? {
    guard authorization == .always || authorization == .whenInUse,
      let coordinate = points.popFirst()?.position.coordinate
    else { return nil }
    return RecordedPing(recordedAt: ClientClock.system.now(), fix: Fix(coordinate: coordinate))
  }
}

/// Keeps the token in a file, where an app uses the system's keychain.
actor FileTokens: TokenStore {
  private let file: URL
  init(path: String) { file = URL(filePath: path) }
  func token() -> String? { try? String(contentsOf: file, encoding: .utf8) }
  func store(_ token: String) { try? Data(token.utf8).write(to: file, options: .atomic) }
}
