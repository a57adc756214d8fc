struct LogInPage: Sendable {
  /// The page to open after the login; from outside, so not trusted.
  var next: String?
  var email = ""
  var fault: HTML?
  /// Whether the visitor comes from a page that their session no longer opens.
  var isSessionOver = false

  var page: Page {
    Page(
      title: "Log in", section: nil,
      content: """
        <div class="login">
        <svg viewBox="0 0 32 32" aria-hidden="true">\(mark)</svg>
        <h1>ShiftGuard</h1>
        <p class="lead">Every shift, and a reason for every gap.</p>
        <form method="post" action="/login">
        \("<p class=\"done\" role=\"status\">Your session has ended. Log in again.</p>",
          if: isSessionOver)
        \(fault.map { "<p class=\"fault\" id=\"fault\" role=\"alert\">\($0)</p>" as HTML })
        <input type="hidden" name="next" value="\(next)">
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" autocomplete="username" maxlength="254" \
        value="\(email)" required\(focus(if: email.isEmpty))\(invalid)>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" \
        maxlength="1024" required\(focus(if: !email.isEmpty))\(invalid)>
        <button>Log in</button>
        </form>
        <p class="aside">No account, or no password? Ask your administrator.</p>
        </div>
        """)
  }

  private func focus(if condition: Bool) -> HTML { condition ? " autofocus" : "" }

  private var invalid: HTML {
    fault == nil ? "" : " aria-describedby=\"fault\" aria-invalid=\"true\""
  }
}
