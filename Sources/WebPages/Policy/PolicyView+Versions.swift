import GuardRules
import Guidance
import ReadModels

extension PolicyView {
  var history: HTML {
    """
    <section class="card" aria-labelledby="versions"><h2 id="versions">Versions</h2>
    <ol class="entries">\(versions.map { line($0) })</ol></section>
    """
  }

  private func line(_ version: PolicyVersion) -> HTML {
    let row = version.row
    let changes: HTML =
      row.version == 1
      ? "<p class=\"aside\">First version</p>"
      : "\(version.differences.map { "<p class=\"aside\">\($0.words)</p>" as HTML })"
    return """
      <li><time datetime="\(row.createdAt.rfc3339)">\(clock.short(row.createdAt))</time>\
      <div><p><b>Version \(row.version)</b>\(", in force", if: row.isInForce)\
      \(row.savedBy.map { ", saved by \($0)" as HTML })</p>\(planned(row))\(changes)\
      \(mayChange && !row.isInForce ? button(row) : nil)</div>

      """
  }

  private func planned(_ row: PolicyRow) -> HTML? {
    row.validFrom < row.createdAt
      ? "<p class=\"aside\">Planned for \(clock.short(row.validFrom))</p>" : nil
  }

  private func button(_ row: PolicyRow) -> HTML {
    """
    <form method="post" action="\(path)/versions/\(row.version)/restore">\
    <button class="quiet small" aria-label="Restore version \(row.version)">\
    Restore this version</button></form>
    """
  }

  /// Asks for confirmation.
  var restoration: HTML? {
    guard let restoring, let inForce else { return nil }
    let changes = restoring.policy.differences(from: inForce.policy).map { difference -> HTML in
      "<li>\(difference.words)"
    }
    return Confirmation(
      question: "Restore version \(restoring.version)?",
      consequences: """
        <p>This changes the policy that is in force, and applies from the next decision:</p>
        <ul class="items">\(changes)</ul>
        """, button: "Restore version \(restoring.version)",
      action: "\(path)/versions/\(restoring.version)/restore",
      keep: Crumb(name: "Keep the policy", path: "\(path)"), fields: ["tag": inForce.tag]
    ).card
  }
}
