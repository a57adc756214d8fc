public import APIMessages
public import HTTPServing
public import ShiftDomain
public import ShiftOperations

/// What pages need besides the use cases.
public struct PageSettings: Sendable {
  /// Tells who sends a request, and by which session.
  /// - Throws: `OperationError.unauthorized` for nobody.
  public typealias Authenticate = @Sendable (HTTPRequest) async throws -> OfficeDoor.Caller
  /// Lets somebody in.
  /// - Returns: What to do, or why not.
  /// - Throws: `OperationError`
  public typealias LogIn =
    @Sendable (_ email: String, _ password: String, HTTPRequest) async throws -> LogInAnswer
  /// Ends the session of a request's cookie.
  /// - Returns: The `Set-Cookie` that forgets it.
  public typealias LogOut = @Sendable (HTTPRequest) async throws -> String

  /// Opens a shift's track for a purpose, which is logged before anything is answered.
  /// - Throws: `OperationError`
  public typealias OpenTrack =
    @Sendable (ShiftID, _ purpose: String, Viewer) async throws -> [TrackPoint]

  /// The server's clock.
  public var now: @Sendable () -> Instant
  /// Who sends a request.
  public var authenticate: Authenticate
  /// Lets somebody in.
  public var logIn: LogIn
  /// Lets them out.
  public var logOut: LogOut
  /// The address of the stream of changes to the board; `nil` while there is none, and then open
  /// boards look once a minute.
  public var boardEvents: String?
  /// Whether the API takes a page's cookie; then pages offer its tables and tracks as files.
  public var hasDownloads = false
  /// Opens a track, for those who may; `nil`: nobody sees any.
  public var openTrack: OpenTrack?
  /// Where maps have their pictures from; `nil`: tracks are drawn without a map.
  public var tiles: MapTiles?
  /// What lays tiles below a track; `nil`: tracks are drawn without a map.
  public var mapLibrary: MapLibrary?
  /// Told of failures.
  public var observer: RouteObserver

  /// Settings; without tiles and without a stream unless given.
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

/// What becomes of an e-mail address and a password.
public enum LogInAnswer: Hashable, Sendable {
  /// They are let in; the value of `Set-Cookie`.
  case letIn(cookie: String)
  /// Address or password is wrong; it is not told which.
  case wrong
  /// Too many tries; another in so many seconds.
  case later(seconds: Int)
}

/// The pages for managers and administrators.
public func pageRoutes(_ operations: Operations, _ settings: PageSettings) -> [Route] {
  let desk = PageDesk(settings, operations: operations)
  return desk.assets.routes + (settings.mapLibrary?.routes ?? []) + desk.logInRoutes
    + desk.boardRoutes + desk.shiftRoutes
    + desk.employeeRoutes + desk.planRoutes + desk.planFileRoutes
    + desk.coverageRoutes + desk.messageRoutes + desk.settingsRoutes + desk.peopleRoutes
    + desk.retentionRoutes + desk.figuresRoutes + desk.auditRoutes + desk.teamRoutes
    + desk.accountsRoutes + desk.tokenRoutes + desk.ownAccountRoutes
}
