/// What the script does for one browser: saved filters, alerts and a sound. They are the
/// same for everybody, and the styles hide them where scripts do not run.
enum BoardTools {
  static let html: HTML = """
    <ul id="saved" aria-label="Saved filters"></ul>\
    <button type="button" class="quiet" id="save" hidden>Save this filter</button>\
    <form id="naming" hidden><label for="filter">Name of the filter</label>\
    <input id="filter" maxlength="40" autocomplete="off" required>\
    <button>Save filter</button><button type="button" class="quiet">Cancel</button></form>\
    <button type="button" class="quiet" id="notify" aria-pressed="false" hidden>\
    Alert me in this browser</button>\
    <button type="button" class="quiet" id="sound" aria-pressed="false">Sound</button>\
    <p id="said" role="status"></p>
    """
}
