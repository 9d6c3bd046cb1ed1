// libcurl, loaded when it is first asked for: whoever never opens a URL doesn't pay for it (some 30 libraries).
//
// Compiles against the headers of libcurl 7.74 to 8.x and runs with any of them. Nothing here links libcurl, so
// calling one of its functions by its own name does not link: call the ccurl_ function, which has its semantics.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdint.h>

/// Loads libcurl, once for the process. Safe to call from any thread, any number of times. Must have returned NULL
/// before any other function here is called.
/// Returns NULL when it is there, else what the loader had to say.
const char *ccurl_load(void);

// MARK: Options that are younger than the oldest headers; an older library answers CURLE_UNKNOWN_OPTION

/// CURLOPT_PROTOCOLS_STR, libcurl 7.85.
static const int ccurl_option_protocols = CURLOPTTYPE_STRINGPOINT + 318;
/// CURLOPT_QUICK_EXIT, libcurl 7.87: ending a request doesn't wait for its name look-up to end.
static const int ccurl_option_quick_exit = CURLOPTTYPE_LONG + 322;

// MARK: Easy handles

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int mask);
const char *ccurl_easy_strerror(CURLcode code);

// curl_easy_setopt and curl_easy_getinfo, which are variadic, a function for each type.
CURLcode ccurl_set_long(CURL *easy, int option, long value);
CURLcode ccurl_set_string(CURL *easy, int option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, int option, void *value);
CURLcode ccurl_set_data_function(CURL *easy, int option, size_t (*function)(char *, size_t, size_t, void *));
CURLcode ccurl_get_long(CURL *easy, int info, long *value);
CURLcode ccurl_get_offset(CURL *easy, int info, int64_t *value);
CURLcode ccurl_get_pointer(CURL *easy, int info, void **value);

/// Allows only HTTP and HTTPS, whatever the library was built with.
CURLcode ccurl_allow_http_only(CURL *easy);

// MARK: Addresses

/// Says whether an address, of 4 or 16 bytes in network order, may be reached.
typedef struct {
    int (*allows)(void *context, const uint8_t *address, int length);
    void *context;
} ccurl_address_check;

/// Asks `check`, which must outlive the handle, before each connection is opened, after the name look-up and before
/// the first packet; and, from libcurl 7.80 on, before a connection that is open already is used for the request.
/// An older library is made to open a connection for each request, so that the first question is always asked.
CURLcode ccurl_check_addresses(CURL *easy, ccurl_address_check *check);

/// Reads an address written as digits into up to 16 bytes. Returns their number, 4 or 16, or 0 when it isn't one.
int ccurl_parse_address(const char *text, uint8_t *bytes);

// MARK: Multi handles

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
/// The next transfer that ended, or NULL: curl_multi_info_read, with the two things that it tells.
CURL *ccurl_multi_next_ended(CURLM *multi, CURLcode *result);

// MARK: Cookies

/// A place for cookies, in memory, for the easy handles of one thread that get it as CURLOPT_SHARE. NULL without memory.
CURLSH *ccurl_cookies_init(void);
/// Must come after the end of all handles that share it.
void ccurl_cookies_cleanup(CURLSH *share);

// MARK: Lists and URLs

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line);
void ccurl_slist_free_all(struct curl_slist *list);
CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
/// The text must be given to ccurl_free.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void ccurl_free(void *pointer);

#endif
