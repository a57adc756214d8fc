public import HTTPAPI
public import HTTPServing
public import ShiftDomain
public import ShiftOperations

/// What the pages need besides `Operations`.
public struct PageSettings: Sendable {
  /// Authenticates a request.
  /// - Throws: `OperationError.unauthorized` without a valid session or token.
  public typealias Authenticate = @Sendable (HTTPRequest) async throws -> Authenticator.Requester
  /// Logs an account in.
  /// - Returns: The session's cookie, or why the login was refused.
  /// - Throws: `OperationError`
  public typealias LogIn =
    @Sendable (_ email: String, _ password: String, HTTPRequest) async throws -> LogInAnswer
  /// Ends the session of a request's cookie.
  /// - Returns: The `Set-Cookie` that deletes the cookie.
  public typealias LogOut = @Sendable (HTTPRequest) async throws -> String

  /// Opens a shift's track for a purpose, which is logged before any position is returned.
  /// - Throws: `OperationError`
  public typealias OpenTrack =
    @Sendable (ShiftID, _ purpose: String, Principal) async throws -> [TrackPoint]

  /// The server's clock.
  public var now: @Sendable () -> Instant
  /// Authenticates a request.
  public var authenticate: Authenticate
  /// Logs an account in.
  public var logIn: LogIn
  /// Logs an account out.
  public var logOut: LogOut
  /// The address of the board's event stream; `nil`: there is none, and open boards are refreshed
  /// once a minute.
  public var boardEvents: String?
  /// Whether the API accepts the session cookie; if so, tables and tracks can be downloaded.
  public var hasDownloads = false
  /// Opens a track for viewers with the right; `nil`: tracks are not available.
  public var openTrack: OpenTrack?
  /// The source of map tiles; `nil`: tracks are drawn without a map.
  public var tiles: MapTiles?
  /// The library that draws tracks on a map; `nil`: tracks are drawn without a map.
  public var mapLibrary: MapLibrary?
  /// Informed of failures.
  public var observer: RouteObserver

  /// Settings, by default without tiles and without an event stream.
  public init(
    now: @escaping @Sendable () -> Instant, authenticate: @escaping Authenticate,
    logIn: @escaping LogIn, logOut: @escaping LogOut, boardEvents: String? = nil,
    openTrack: OpenTrack? = nil, tiles: MapTiles? = nil, observer: RouteObserver = RouteObserver()
  ) {
    self.now = now
    self.authenticate = authenticate
    self.logIn = logIn
    self.logOut = logOut
    self.boardEvents = boardEvents
    self.openTrack = openTrack
    self.tiles = tiles
    self.observer = observer
  }
}

/// Outcome of a login.
public enum LogInAnswer: Hashable, Sendable {
  /// Logged in; the value of `Set-Cookie`.
  case letIn(cookie: String)
  /// The address or the password is wrong; the answer does not say which.
  case wrong
  /// Too many attempts; try again after this many seconds.
  case later(seconds: Int)
}

/// The pages for managers and administrators.
public func pageRoutes(_ operations: Operations, _ settings: PageSettings) -> [Route] {
  let controller = PageController(settings, operations: operations)
  return controller.assets.routes + (settings.mapLibrary?.routes ?? []) + controller.logInRoutes
    + controller.boardRoutes + controller.shiftRoutes
    + controller.employeeRoutes + controller.plannedShiftRoutes + controller.plannedShiftFileRoutes
    + controller.coverageRoutes + controller.notificationRoutes + controller.settingsRoutes
    + controller.employeeSettingsRoutes
    + controller.retentionRoutes + controller.statisticsRoutes + controller.auditRoutes
    + controller.teamRoutes
    + controller.accountsRoutes + controller.tokenRoutes + controller.ownAccountRoutes
}
