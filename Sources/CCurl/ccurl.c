#define _GNU_SOURCE  // SOCK_CLOEXEC
#include "CCurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The headers wrap these in macros that check types.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_share_setopt

#define FUNCTIONS(f)                                                                                          \
    f(curl_global_init) f(curl_free) f(curl_easy_init) f(curl_easy_cleanup) f(curl_easy_setopt)               \
    f(curl_easy_getinfo) f(curl_easy_pause) f(curl_easy_strerror) f(curl_multi_init) f(curl_multi_cleanup)    \
    f(curl_multi_add_handle) f(curl_multi_remove_handle) f(curl_multi_perform) f(curl_multi_poll)             \
    f(curl_multi_info_read) f(curl_slist_append) f(curl_slist_free_all) f(curl_url) f(curl_url_cleanup)       \
    f(curl_url_set) f(curl_url_get) f(curl_share_init) f(curl_share_setopt) f(curl_share_cleanup)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
#undef POINTER
} lib;

static char load_error[256];

static void *open_library(void) {
#ifdef __APPLE__
    static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *handle = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
        if (handle) return handle;
        if (i == 0) {
            const char *reason = dlerror();
            strncpy(load_error, reason ? reason : "not found", sizeof load_error - 1);
        }
    }
    return NULL;
}

static void load(void) {
    void *handle = open_library();
    if (!handle) return;
    load_error[0] = 0;
#define FIND(name)                                                                     \
    lib.name = (__typeof__(lib.name))dlsym(handle, #name);                             \
    if (!lib.name) {                                                                   \
        strncpy(load_error, "it has no function " #name, sizeof load_error - 1);       \
        return;                                                                        \
    }
    FUNCTIONS(FIND)
#undef FIND
    if (lib.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        strncpy(load_error, "curl_global_init failed", sizeof load_error - 1);
    }
}

const char *ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error[0] ? load_error : NULL;
}

// MARK: Easy handles

CURL *ccurl_easy_init(void) { return lib.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { lib.curl_easy_cleanup(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int mask) { return lib.curl_easy_pause(easy, mask); }
const char *ccurl_easy_strerror(CURLcode code) { return lib.curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, int option, long value) {
    return lib.curl_easy_setopt(easy, (CURLoption)option, value);
}

CURLcode ccurl_set_string(CURL *easy, int option, const char *value) {
    return lib.curl_easy_setopt(easy, (CURLoption)option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, int option, void *value) {
    return lib.curl_easy_setopt(easy, (CURLoption)option, value);
}

CURLcode ccurl_set_data_function(CURL *easy, int option, size_t (*function)(char *, size_t, size_t, void *)) {
    return lib.curl_easy_setopt(easy, (CURLoption)option, function);
}

CURLcode ccurl_get_long(CURL *easy, int info, long *value) {
    return lib.curl_easy_getinfo(easy, (CURLINFO)info, value);
}

CURLcode ccurl_get_offset(CURL *easy, int info, int64_t *value) {
    curl_off_t offset = 0;
    CURLcode code = lib.curl_easy_getinfo(easy, (CURLINFO)info, &offset);
    *value = offset;
    return code;
}

CURLcode ccurl_get_pointer(CURL *easy, int info, void **value) {
    return lib.curl_easy_getinfo(easy, (CURLINFO)info, value);
}

CURLcode ccurl_allow_http_only(CURL *easy) {
    CURLcode code = ccurl_set_string(easy, ccurl_option_protocols, "http,https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
    // Until libcurl 7.85: CURLOPT_PROTOCOLS, by number because newer headers mark the name as deprecated.
    return ccurl_set_long(easy, CURLOPTTYPE_LONG + 181, CURLPROTO_HTTP | CURLPROTO_HTTPS);
}

// MARK: Addresses

static curl_socket_t open_socket(void *opaque, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    ccurl_address_check *check = opaque;
    const void *bytes;
    int length;
    if (address->family == AF_INET) {
        bytes = &((struct sockaddr_in *)&address->addr)->sin_addr;
        length = 4;
    } else if (address->family == AF_INET6) {
        bytes = &((struct sockaddr_in6 *)&address->addr)->sin6_addr;
        length = 16;
    } else {
        return CURL_SOCKET_BAD;
    }
    if (!check->allows(check->context, bytes, length)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

// CURL_PREREQFUNC_OK and _ABORT, by number: the names came with libcurl 7.80.
static int before_request(void *opaque, char *remote, char *local, int remote_port, int local_port) {
    (void)local, (void)remote_port, (void)local_port;
    ccurl_address_check *check = opaque;
    uint8_t bytes[16];
    int length = remote ? ccurl_parse_address(remote, bytes) : 0;
    return length > 0 && check->allows(check->context, bytes, length) ? 0 : 1;
}

CURLcode ccurl_check_addresses(CURL *easy, ccurl_address_check *check) {
    CURLcode code = lib.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code == CURLE_OK) code = lib.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, check);
    if (code != CURLE_OK) return code;
    // CURLOPT_PREREQFUNCTION and CURLOPT_PREREQDATA.
    code = lib.curl_easy_setopt(easy, (CURLoption)(CURLOPTTYPE_FUNCTIONPOINT + 312), before_request);
    if (code == CURLE_OK) return lib.curl_easy_setopt(easy, (CURLoption)(CURLOPTTYPE_CBPOINT + 313), check);
    if (code != CURLE_UNKNOWN_OPTION) return code;
    return lib.curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);  // until libcurl 7.80
}

int ccurl_parse_address(const char *text, uint8_t *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    char copy[INET6_ADDRSTRLEN + 1];
    size_t length = strcspn(text, "%");  // without a zone
    if (length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = 0;
    return inet_pton(AF_INET6, copy, bytes) == 1 ? 16 : 0;
}

// MARK: Multi handles

CURLM *ccurl_multi_init(void) { return lib.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { lib.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return lib.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return lib.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) { return lib.curl_multi_perform(multi, running); }

CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
    return lib.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURL *ccurl_multi_next_ended(CURLM *multi, CURLcode *result) {
    int left;
    for (CURLMsg *message; (message = lib.curl_multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// MARK: Cookies

CURLSH *ccurl_cookies_init(void) {
    CURLSH *share = lib.curl_share_init();
    if (share && lib.curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE) != CURLSHE_OK) {
        lib.curl_share_cleanup(share);
        return NULL;
    }
    return share;
}

void ccurl_cookies_cleanup(CURLSH *share) { lib.curl_share_cleanup(share); }

// MARK: Lists and URLs

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line) {
    return lib.curl_slist_append(list, line);
}
void ccurl_slist_free_all(struct curl_slist *list) { lib.curl_slist_free_all(list); }
CURLU *ccurl_url(void) { return lib.curl_url(); }
void ccurl_url_cleanup(CURLU *url) { lib.curl_url_cleanup(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return lib.curl_url_set(url, part, text, flags);
}
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return lib.curl_url_get(url, part, text, flags);
}
void ccurl_free(void *pointer) { lib.curl_free(pointer); }
