-- GET requests of phones for wrk: of the state that each phone knows already, or of a path that
-- needs no phone. Arguments: PHONES (a file with a token, a space and an ETag per line, or "-").
-- Prints the number of responses by status besides the times.
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

function init(arguments)
  requests, sent, found, unchanged, others = {}, 0, 0, 0, 0
  local head = "GET " .. wrk.path .. " HTTP/1.1\r\nHost: bench\r\n"
  if arguments[1] == "-" then
    requests[1] = head .. "\r\n"
  else
    for line in io.lines(arguments[1]) do
      local token, tag = line:match("^(%S+) (.+)$")
      requests[#requests + 1] = head .. "Authorization: Bearer " .. token .. "\r\nIf-None-Match: "
        .. tag .. "\r\n\r\n"
    end
  end
end

function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end

function response(status)
  if status == 200 then found = found + 1
  elseif status == 304 then unchanged = unchanged + 1
  else others = others + 1 end
end

function done(summary)
  local thread, errors = threads[1], summary.errors
  io.write(string.format(
    '\n{"200":%d,"304":%d,"others":%d,"broken":%d}\n', thread:get("found"),
    thread:get("unchanged"), thread:get("others"),
    errors.connect + errors.read + errors.write + errors.timeout))
end
