import HTTPAPI
import HTTPServing
import InsightOperations
import InstallationOperations
import ManagerAccess
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
      openTrack: { shifts, purpose, principal in
        var tracks: [[TrackPoint]] = []
        for track in try await operations.insight.openTracks(
          of: shifts, by: principal, purpose: purpose)
        {
          var points: [TrackPoint] = []
          var last: TrackFix?
          repeat {
            let page = try await operations.insight.fixes(of: track, after: last)
            points += page.map { TrackPoint($0) }
            last = page.count < trackPageMax ? nil : page.last
          } while last != nil
          tracks.append(points)
        }
        return tracks
      })
  }
}
