// What HTTPSending needs of libcurl.
#include <curl/curl.h>
#include <string.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt take their value variadically, and Swift
// calls no variadic C function. One inline function for each kind of value, so that the compiler
// still checks it.

static inline CURLcode sg_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sg_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sg_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// The body, copied; its size goes first, for it may hold NUL.
static inline CURLcode sg_curl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode sg_curl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// The same function type serves CURLOPT_READFUNCTION, _WRITEFUNCTION and _HEADERFUNCTION.
static inline CURLcode sg_curl_set_callback(CURL *easy, CURLoption option,
                                            size_t (*function)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, function);
}

// What a name is taken to mean, whatever the resolver says.
static inline CURLcode sg_curl_set_names(CURL *easy, struct curl_slist *names) {
  return curl_easy_setopt(easy, CURLOPT_RESOLVE, names);
}

static inline CURLcode sg_curl_set_open_socket(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

// How many bytes CURLOPT_READFUNCTION will give.
static inline CURLcode sg_curl_set_size(CURL *easy, curl_off_t count) {
  return curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, count);
}

static inline CURLcode sg_curl_set_recipients(CURL *easy, struct curl_slist *recipients) {
  return curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients);
}

static inline long sg_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

// Until when the server's certificate is valid: from a list of lists of texts, which Swift would walk
// with many more words. NULL unless CURLOPT_CERTINFO was set and this connection was opened for it.
static inline const char *sg_curl_get_certificate_end(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain ||
      chain->num_of_certs < 1)
    return NULL;
  for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next)
    if (strncmp(line->data, "Expire date:", 12) == 0) return line->data + 12;
  return NULL;
}

static inline CURLMcode sg_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// A union in CURLMsg, which Swift would read with more words.
static inline CURLcode sg_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}
