public import GuardRules
import JSONText
public import ShiftDomain
import SystemCalls

// Where and when a clock-in is made, by what the phone holds.

extension GuardSession {
  /// The site that is nearest to the last position, for the step `goToSite`; `nil` without sites,
  /// or without a position of the last minute.
  public var nearestSite: SiteDistance? { placeAndPlan(at: clock.now()).place?.nearest }

  /// From when the next planned shift can be begun, for the step `waitUntil`; `nil` if none is
  /// known within twelve hours.
  public var clockInAllowedFrom: Instant? {
    let now = clock.now()
    return placeAndPlan(at: now).plan?
      .allowedFrom(at: now + (skew ?? .zero), under: memory.rules?.policy ?? settings.policy)
  }

  /// What is known of the place and the plan of a clock-in at `now`, by the phone's clock.
  func placeAndPlan(at now: Instant) -> PlaceAndPlan {
    let sites = held.judgesPlace ? held.sites : []
    return PlaceAndPlan(
      place: ClockInPlace(
        sites: held.plan?.sites(at: now + (skew ?? .zero), of: sites) ?? sites,
        position: recentFix(at: now)?.position),
      plan: held.plan)
  }

  /// What that comes to.
  func placeAndPlanFindings(at now: Instant, under policy: Policy) -> FindingSet {
    placeAndPlan(at: now).findings(at: now + (skew ?? .zero), under: policy)
  }

  /// The last position, if a clock action at `now` may carry it. One from the future is from before
  /// the clock was set back: its age is unknown.
  func recentFix(at now: Instant, ageMax: TimeSpan = .seconds(60)) -> RecordedPing? {
    latestFix.flatMap { (TimeSpan.seconds(-1)...ageMax).contains(now - $0.recordedAt) ? $0 : nil }
  }

  /// Looks for a position where the place of a clock-in is judged, unless there is one that will
  /// still be recent after the employee has read a warning. It is sent with the clock-in only.
  /// - Returns: Whether it looked for one, which takes seconds.
  @discardableResult func locateForClockIn(_ state: PermissionState) async -> Bool {
    guard held.judgesPlace, state.canLocate,
      recentFix(at: clock.now(), ageMax: .seconds(30)) == nil
    else { return false }
    let enrolment = enrolments
    let fix = await location.currentFix()
    if enrolment == enrolments, let fix, fix.fix != nil { latestFix = fix }
    return true
  }

  /// Takes over what an answer says of sites and plan, and reads the sites if they are others.
  func hold(_ status: GuardStatus) async {
    guard status.saysWhatToHold else { return }
    var held = held
    held.take(status)
    keep(held)
    guard held.needsSites, !isReadingSites else { return }
    isReadingSites = true
    defer { isReadingSites = false }
    // Without an answer, the next status asks again.
    guard let fields = try? await ask("GET", "/v1/me/sites") else { return }
    held = self.held
    try? held.take(fields)
    keep(held)
  }

  /// Stores it for times without the network.
  private func keep(_ held: HeldPlace) {
    guard held != self.held else { return }
    self.held = held
    do throws(FileError) { try held.write(to: placePath) } catch { tell(.diskFailed(.disk(error))) }
  }

  /// A new enrolment begins with nothing of an earlier one's.
  func forgetPlace() {
    latestFix = nil
    held = HeldPlace()
    try? held.write(to: placePath)
  }
}

extension RecordedPing {
  /// As the server reads it; `nil` for what phones write when they do not know where they are.
  fileprivate var position: ClockInPlace.Position? {
    guard let fix,
      Fix(
        measuredAt: fix.coordinate, accuracyMeters: fix.accuracyMeters, speedMetersPerSecond: nil,
        headingDegrees: nil, altitudeMeters: nil) != nil
    else { return nil }
    return ClockInPlace.Position(
      fix.coordinate, accuracyMeters: fix.accuracyMeters, isMock: isMock)
  }
}
