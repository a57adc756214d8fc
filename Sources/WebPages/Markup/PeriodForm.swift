import CivilTime
import ReadModels
import ShiftDomain

/// The form that chooses a team and a period of a report.
struct PeriodForm: Sendable {
  var action: HTML
  /// The teams to choose from; one alone needs no choice.
  var choices: [TeamRow]
  var team: TeamID?
  var from: CivilDate
  var to: CivilDate

  var html: HTML {
    """
    <form class="search" action="\(action)">
    \(choices.count > 1 ? choices.choice(of: team) : nil)
    <div><label for="from">From</label>\
    <input id="from" name="from" type="date" value="\(from.text)" required></div>
    <div><label for="to">To</label>\
    <input id="to" name="to" type="date" value="\(to.text)" required></div>
    <button class="quiet">Show</button>
    </form>
    """
  }

  /// Why there is no report of a period with these days.
  static func fault(from: CivilDate, to: CivilDate) -> HTML {
    from > to
      ? "The period ends before it begins." : "A period can have at most \(reportDaysMax) days."
  }
}
