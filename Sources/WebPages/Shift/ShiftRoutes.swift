import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import ReviewOperations
import ShiftDomain

extension PageController {
  var shiftRoutes: [AccessRoute] {
    let path = "/employees/{employee}/shifts/{shift}"
    return [
      page(path, .employee(.coverage)) { request, principal in
        var view = try await shiftView(in: request, for: principal)
        view.done = CompletedShiftAction(rawValue: request.queryValue("done") ?? "")
        view.correction.clockAction = request.queryValue("clockAction").flatMap { Int32($0) }
        return .page(view.page)
      },
      form(path + "/corrections", .employee(.coverage)) { request, fields, principal in
        var view = try await shiftView(in: request, for: principal)
        view.correction.fault = try await correct(&view, fields, by: principal)
        guard view.correction.fault != nil else { return .seeOther(view.path + "?done=corrected") }
        return .page(view.page, status: 422)
      },
      form(path + "/accept", .employee(.coverage)) { request, fields, principal in
        var view = try await shiftView(in: request, for: principal)
        view.correction.fault = try await refusal {
          try await operations.reviews.acceptTimes(
            of: view.shift, matching: [fields["tag"]], reason: fields.text("reason"),
            by: principal
          ).get()
        }
        guard view.correction.fault != nil else { return .seeOther(view.path + "?done=accepted") }
        return .page(view.page, status: 422)
      },
      form(path + "/reopen", .employee(.coverage)) { request, fields, principal in
        var view = try await shiftView(in: request, for: principal)
        view.correction.reason = fields["reason"]
        view.correction.fault = try await refusal {
          _ = try await operations.reviews.reopen(
            view.shift, reason: fields["reason"], by: principal
          )
          .get()
        }
        view.correction.clockAction = Int32(fields["clockAction"])
        guard view.correction.fault != nil else {
          let next = Query().with("done", "reopened")
            .with("clockAction", view.correction.clockAction.map { String($0) })
          return .seeOther("\(view.path)\(next.text)#correct")
        }
        return .page(view.page, status: 422)
      },
      form(path + "/corrections/{correction}/undo", .employee(.coverage)) {
        request, fields, principal in
        var view = try await shiftView(in: request, for: principal)
        view.correction.undoFault = try await undo(
          request.pathNumber("correction"), view, fields, by: principal)
        guard view.correction.undoFault != nil else { return .seeOther(view.path + "?done=undone") }
        return .page(view.page, status: 422)
      },
      // Not by a link: a purpose is required each time a track is opened. It is shown on the
      // shift's page, which needs the other right too.
      form(path + "/track", .employee(.all)) { request, fields, principal in
        var view = try await shiftView(in: request, for: principal)
        guard case .onPurpose = view.trackAccess, let open = settings.openTrack else {
          throw PageNotFound()
        }
        guard let purpose = fields.purpose else {
          view.trackAccess = .onPurpose(TrackForm(purpose: fields["purpose"], isRefused: true))
          return .page(view.page, status: 422)
        }
        let points = try await open([view.shift], purpose, principal)
        let track = Track(points.map { TrackPart($0, of: view.details) })
        view.trackAccess = .open(
          TrackSection(
            track: track, purpose: purpose, clock: view.clock, action: view.path + "/track",
            page: fields.page(of: track), tiles: settings.mapTiles,
            sites: SitesView.path(of: view.team.team, ifChangedBy: principal)))
        return .page(view.page)
      },
    ]
  }

  /// - Returns: Why it was refused; `nil` if it was corrected.
  private func correct(
    _ view: inout ShiftView, _ fields: FormFields, by principal: Principal
  ) async throws -> HTML? {
    view.correction.reason = fields["reason"]
    view.correction.clockAction = Int32(fields["clockAction"])
    // The form was filled in for times that have changed since.
    let times = view.details.times
    guard fields["tag"] == times.tag else {
      return Refusal.changed("shift", .changedShift(times)).html
    }
    let before = view.correction
    view.correction.start = fields["start"]
    view.correction.end = fields["end"]
    if fields.text("break1Start") != nil {
      view.correction.breaks = before.breaks.indices.map { BreakFields(fields, $0 + 1) }
    }
    var input = CorrectionRequest(
      reason: fields["reason"], clockAction: view.correction.clockAction)
    do {
      if fields["start"] != before.start {
        input.startedAt = try fields.time("start", by: view.clock)
      }
      if let shortcut = EndShortcut(code: fields["shortcut"]) {
        input.end = .shortcut(shortcut)
      } else if fields["end"] != before.end {
        if fields["end"].isEmpty { return "The end of a shift cannot be removed." }
        input.end = .at(try fields.time("end", by: view.clock))
      }
      if view.correction.breaks != before.breaks {
        input.breaks = try fields.breaks(
          times.breaks, shown: before.breaks, from: input.startedAt ?? times.row.startedAt,
          by: view.clock)
      }
    } catch {
      return error.reason
    }
    guard !input.isEmpty else { return "Change the start, the end or a break first." }
    return try await refusal {
      let outcome = try await operations.reviews.correct(
        view.shift, input, matching: [fields["tag"]], by: principal)
      if case .changedMeanwhile(let times) = outcome { view.showCorrection(of: times) }
      _ = try outcome.get()
    }
  }

  /// - Returns: Why it was refused; `nil` if it was undone.
  private func undo(
    _ number: Int16, _ view: ShiftView, _ fields: FormFields, by principal: Principal
  ) async throws -> HTML? {
    try await refusal {
      _ = try await operations.reviews.undo(
        correction: number, of: view.shift, reason: fields["reason"], by: principal
      ).get()
    }
  }

  /// Why `act` was refused; `nil` if it was done.
  private func refusal(of act: () async throws -> Void) async throws -> HTML? {
    do {
      try await act()
      return nil
    } catch {
      return try shownRefusal(error).reason
    }
  }
}

extension FormFields {
  /// Why positions are viewed; `nil` if it is blank, too long or not storable.
  var purpose: String? {
    let purpose = self["purpose"]
    let isKept =
      purpose.contains { !$0.isWhitespace } && purpose.unicodeScalars.count <= 500
      && !purpose.contains("\0")
    return isKept ? purpose : nil
  }

  /// The page of the list of positions, from 1.
  func page(of track: Track) -> Int {
    let last = max(1, (track.places.count + TrackSection.rowsMax - 1) / TrackSection.rowsMax)
    return min(max(Int(self["page"]) ?? 1, 1), last)
  }
}
