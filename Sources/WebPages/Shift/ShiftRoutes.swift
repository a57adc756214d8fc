import APIMessages
import GuardRules
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// A shift, and what managers do about it.
  var shiftRoutes: [Route] {
    let path = "/employees/{employee}/shifts/{shift}"
    return [
      page(path) { request, viewer in
        var view = try await shiftView(in: request, for: viewer)
        view.done = ShiftDeed(rawValue: request.queryValue("done") ?? "")
        return .page(view.page)
      },
      form(path + "/corrections") { request, fields, viewer in
        var view = try await shiftView(in: request, for: viewer)
        view.correction.fault = try await correct(&view, fields, by: viewer.officer)
        guard view.correction.fault != nil else { return .seeOther(view.path + "?done=corrected") }
        return .page(view.page, status: 422)
      },
      form(path + "/corrections/{correction}/undo") { request, fields, viewer in
        var view = try await shiftView(in: request, for: viewer)
        view.correction.undoFault = try await undo(
          request.parameters["correction"].flatMap { Int16($0) } ?? 0, view, fields,
          by: viewer.officer)
        guard view.correction.undoFault != nil else { return .seeOther(view.path + "?done=undone") }
        return .page(view.page, status: 422)
      },
      // Not by a link: whoever opens a track says anew what for.
      form(path + "/track") { request, fields, viewer in
        var view = try await shiftView(in: request, for: viewer)
        guard case .onPurpose = view.trackAccess, let open = settings.openTrack else {
          throw PageNotFound()
        }
        let purpose = fields["purpose"]
        guard purpose.contains(where: { !$0.isWhitespace }), purpose.unicodeScalars.count <= 500,
          !purpose.contains("\0")
        else {
          view.trackAccess = .onPurpose(TrackForm(purpose: purpose, isRefused: true))
          return .page(view.page, status: 422)
        }
        view.trackAccess = .open(
          try await open(view.shift, purpose, viewer), purpose: purpose)
        return .page(view.page)
      },
    ]
  }

  /// Does what the form says.
  /// - Returns: Why not; `nil` when it is done.
  private func correct(
    _ view: inout ShiftView, _ fields: FormFields, by officer: Officer
  ) async throws -> HTML? {
    view.correction.reason = fields["reason"]
    // What was typed was meant for times that are no longer.
    guard fields["tag"] == view.story.row.tag else { return Self.changedMeanwhile }
    let before = view.correction
    view.correction.start = fields["start"]
    view.correction.end = fields["end"]
    var wish = CorrectionWish(reason: fields["reason"])
    if fields["start"] != before.start {
      wish.startedAt = view.clock.instant(fieldText: fields["start"])
      guard wish.startedAt != nil else { return "The start is no date and time." }
    }
    if fields["end"] != before.end {
      wish.endedAt = view.clock.instant(fieldText: fields["end"])
      guard wish.endedAt != nil else {
        return fields["end"].isEmpty
          ? "An end cannot be taken away." : "The end is no date and time."
      }
    }
    guard wish.startedAt != nil || wish.endedAt != nil else { return "Nothing is changed yet." }
    do throws(OperationError) {
      let outcome = try await operations.correct(
        view.shift, wish, matching: [fields["tag"]], by: officer)
      if case .changedMeanwhile(let row) = outcome { view.showCorrection(of: row) }
      return fault(outcome)
    } catch {
      guard case .invalid = error else { throw error }
      return "Say why, in at most 500 characters."
    }
  }

  /// Undoes the correction.
  /// - Returns: Why not; `nil` when it is done.
  private func undo(
    _ number: Int16, _ view: ShiftView, _ fields: FormFields, by officer: Officer
  ) async throws -> HTML? {
    do throws(OperationError) {
      let outcome = try await operations.undo(
        correction: number, of: view.shift, reason: fields["reason"], by: officer)
      return switch outcome {
      case .undone, .unchanged: nil
      case .notNewest: "Only the newest correction can be undone."
      case .tooLate: "A correction can be undone for 7 days, and an open shift before its limit."
      case .outOfOrder: "The shift would begin after its newest break or change of phone."
      case .overlaps(let other): "The shift would overlap shift \(other.number)."
      }
    } catch {
      guard case .invalid = error else { throw error }
      return "Say why, in at most 500 characters."
    }
  }

  private static let changedMeanwhile: HTML =
    "Start or end changed meanwhile; this is how they are now."

  private func fault(_ outcome: CorrectionOutcome) -> HTML? {
    switch outcome {
    case .corrected, .unchanged: nil
    case .impossible(let fault): fault.text
    case .tooMany: "A shift is corrected \(correctionsMax) times at most."
    case .outOfOrder: "It would begin after its newest break or change of phone."
    case .overlaps(let other): "It would share time with shift \(other.number)."
    case .attemptNotWaiting: "That tap was settled already."
    case .changedMeanwhile: Self.changedMeanwhile
    }
  }
}

extension SpanFault {
  var text: HTML {
    switch self {
    case .endsBeforeStart: "It would end before it begins."
    case .inFuture: "It would begin or end in the future."
    case .tooLong: "It would be longer than a shift may be."
    case .unchanged: "It is like that already."
    }
  }
}
