import Postgres
import ReadModels
import ShiftDomain

// Table account_browser: the browsers in which accounts have switched alerts on.

/// Those of `account`, the newest first.
package func browsers(of account: AccountID, on session: inout Session) throws(PostgresError)
  -> [AccountBrowser]
{
  try session.run(selectBrowsers(of: account)).map { (row) throws(PostgresError) in
    AccountBrowser(
      number: try row.next(), session: try row.next(), addedAt: try row.next(),
      address: try row.next(), userAgent: try row.next())
  }
}

func selectBrowsers(of account: AccountID) -> SQL {
  """
  SELECT browser_no, session_id, added_at, address, user_agent
  FROM account_browser
  WHERE account_id = \(account.rawValue)
  ORDER BY added_at DESC, browser_no
  """
}

/// Adds a browser. Affects no row if the number or the address is taken.
package func insertBrowser(
  _ browser: AccountBrowser, _ target: PushTarget, of account: AccountID
) -> SQL {
  """
  INSERT INTO account_browser (
    session_id, added_at, account_id, browser_no, address, public_key, secret, user_agent)
  VALUES (
    \(browser.session.rawValue), \(browser.addedAt), \(account.rawValue), \(browser.number),
    \(target.address), \(target.publicKey), \(target.secret), \(browser.userAgent))
  ON CONFLICT DO NOTHING
  """
}

/// Notes in which session alerts were last switched on.
package func move(browser number: Int16, to session: SessionID) -> SQL {
  """
  UPDATE account_browser SET session_id = \(session.rawValue) WHERE browser_no = \(number)
  """
}

/// Lets the browsers of a session go on with another one of its account.
package func moveBrowsers(from former: SessionID, to session: SessionID) -> SQL {
  """
  UPDATE account_browser SET session_id = \(session.rawValue)
  WHERE session_id = \(former.rawValue)
  """
}

/// Removes a browser of any account, or of this one only.
package func deleteBrowser(_ number: Int16, of account: AccountID? = nil) -> SQL {
  """
  DELETE FROM account_browser
  WHERE browser_no = \(number)
    AND (\(account?.rawValue) IS NULL OR account_id = \(account?.rawValue))
  """
}

/// Removes the browser with this address, which another account may have used.
package func deleteBrowser(withAddress address: String) -> SQL {
  "DELETE FROM account_browser WHERE address = \(address)"
}

/// Removes the browsers of `account`, as its sessions end: those of one, of all, or of all but one.
package func deleteBrowsers(
  of account: AccountID, only id: SessionID? = nil, besides kept: SessionID? = nil
) -> SQL {
  """
  DELETE FROM account_browser
  WHERE account_id = \(account.rawValue)
    AND (\(id?.rawValue) IS NULL OR session_id = \(id?.rawValue))
    AND (\(kept?.rawValue) IS NULL OR session_id <> \(kept?.rawValue))
  """
}
