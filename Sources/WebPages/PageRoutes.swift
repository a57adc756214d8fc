import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import ManagerOperations
import ReadModels
import ShiftDomain

package struct PageSettings: Sendable {
  package typealias Authenticate = @Sendable (HTTPRequest) async throws -> Principal
  /// Logs an account in.
  /// - Returns: The `Set-Cookie` of the session.
  /// - Throws: `Refusal`, `OperationError`
  package typealias LogIn =
    @Sendable (_ email: String, _ password: String, HTTPRequest) async throws -> String
  /// Ends the session of a request's cookie.
  /// - Returns: The `Set-Cookie` that deletes the cookie.
  package typealias LogOut = @Sendable (HTTPRequest) async throws -> String

  /// The purpose is recorded for each shift before any position is returned. All shifts are of one
  /// employee; the positions are in the order of the shifts.
  package typealias OpenTrack =
    @Sendable ([ShiftID], _ purpose: String, Principal) async throws -> [[TrackPoint]]

  package var now: @Sendable () -> Instant
  package var authenticate: Authenticate
  package var logIn: LogIn
  package var logOut: LogOut
  /// The address of the board's event stream; `nil`: there is none, and open boards are refreshed
  /// once a minute.
  package var boardEvents: String?
  /// Whether the API accepts the session cookie; if so, tables and tracks can be downloaded.
  package var hasDownloads = false
  /// Opens a track for viewers with the right; `nil`: tracks are not available.
  package var openTrack: OpenTrack?
  /// The source of map tiles; `nil`: tracks are drawn without a map.
  package var tiles: MapTiles?
  package var mapLibrary: MapLibrary?
  /// The channels that this process can use; `nil`: it does not know.
  package var setUpChannels: @Sendable () -> Set<Channel>? = { nil }
  /// Where the channels are set up, and what is set; `nil`: this process does not know.
  package var channelSetup: @Sendable () -> ChannelSetup? = { nil }
  /// Sends a test e-mail to this address at once; `nil`: this process sends none.
  package var sendTestMail: (@Sendable (_ address: String) async -> TestMailResult)?
  /// The public key of our push messages, in base64url; `nil`: there are none.
  package var pushKey: String?
  /// The address at which phones reach the service, without a slash at its end; `nil`: unknown.
  package var publicURL: String?
  /// How old the last backup may be; zero: backups are not examined.
  package var backupAgeMax = TimeSpan.zero
  /// How long the page waits for the result of a test notification.
  package var testPatience = Duration.seconds(3)
  /// How long a page waits for its turn among heavy reads before it says so.
  package var reportPatience = Duration.seconds(2)
  package var observer: RouteObserver

  package init(
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

extension PageSettings {
  /// The source of map tiles, if there is also the library that draws them.
  var mapTiles: MapTiles? { mapLibrary == nil ? nil : tiles }
}

/// The pages for managers and administrators.
package func pageRoutes(_ operations: ManagerOperations, _ settings: PageSettings) -> [AccessRoute]
{
  let controller = PageController(settings, operations: operations)
  return controller.assets.routes + (settings.mapLibrary?.routes ?? []) + controller.logInRoutes
    + controller.boardRoutes + [controller.checklistRoute] + controller.reviewRoutes
    + controller.shiftRoutes
    + controller.dayTrackRoutes + controller.mapRoutes
    + controller.employeeRoutes + controller.plannedShiftRoutes + controller.plannedShiftFileRoutes
    + controller.planRoutes + controller.addedShiftRoutes + controller.employeeDevicesRoutes
    + controller.employeeDataRoutes
    + controller.deviceRoutes
    + controller.coverageRoutes + controller.timeSheetRoutes + controller.approvalRoutes
    + controller.notificationRoutes
    + [controller.settingsRoute] + controller.policyRoutes + controller.payrollRoutes
    + controller.employeeSettingsRoutes + controller.erasureRoutes
    + controller.privacyNoticeRoutes + controller.privacyReportRoutes + controller.retentionRoutes
    + controller.statisticsRoutes
    + controller.auditRoutes + controller.policyTrialRoutes
    + controller.teamRoutes + controller.contactsRoutes + [controller.digestRoute]
    + controller.sitesRoutes
    + controller.channelRoutes + controller.rehearsalRoutes + controller.quarantineRoutes
    + controller.accountsRoutes + controller.tokenRoutes + controller.ownAccountRoutes
}
