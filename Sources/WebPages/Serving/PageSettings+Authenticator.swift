import HTTPAPI
import HTTPServing
import ManagerOperations
import ReadModels
import ShiftDomain

extension PageSettings {
  package init(
    authenticatingBy operations: ManagerOperations, now: @escaping @Sendable () -> Instant
  ) {
    let authenticator = Authenticator(operations)
    self.init(
      now: now, authenticate: { try await authenticator.admit($0) },
      logIn: { email, password, request in
        let session = try await authenticator.logIn(
          email: email, password: Password(password), as: request
        ).get()
        return SessionCookie.setting(session.secret)
      },
      logOut: { request in
        try await authenticator.logOut(request)
        return SessionCookie.clearing
      },
      openTrack: { shift, purpose, principal in
        let track = try await operations.openTrack(
          of: shift, by: principal, purpose: purpose, isExport: false)
        var points: [TrackPoint] = []
        var last: TrackFix?
        repeat {
          let page = try await operations.fixes(of: track, after: last)
          points += page.map {
            TrackPoint(
              at: $0.at, latitude: $0.fix.coordinate.latitude,
              longitude: $0.fix.coordinate.longitude)
          }
          last = page.count < trackPageMax ? nil : page.last
        } while last != nil
        return points
      })
  }
}
