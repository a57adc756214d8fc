// Answers every request with the same body, by libevent's HTTP server on one thread: what a service
// on this server costs at least.
//
// Usage: constant PORT BODY    (on 127.0.0.1; ended by a signal)
#include <err.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <stdlib.h>
#include <string.h>

static void answer(struct evhttp_request *request, void *body) {
  struct evbuffer *output = evhttp_request_get_output_buffer(request);
  evhttp_add_header(
      evhttp_request_get_output_headers(request), "Content-Type", "application/json");
  evbuffer_add(output, body, strlen(body));
  evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

int main(int count, char **words) {
  if (count != 3) errx(64, "usage: constant PORT BODY");
  struct event_base *base = event_base_new();
  struct evhttp *server = base ? evhttp_new(base) : NULL;
  if (!server) errx(70, "no server");
  evhttp_set_gencb(server, answer, words[2]);
  if (evhttp_bind_socket(server, "127.0.0.1", (ev_uint16_t)atoi(words[1])))
    err(69, "port %s", words[1]);
  return event_base_dispatch(base) == 0 ? 0 : 70;
}
