// What Swift can't ask of the operating system.
#ifndef CSYSTEM_H
#define CSYSTEM_H

/// The cores that this process may use, 1 or more: those that it is bound to, where that is told.
int csystem_core_count(void);

/// Opens those of the libraries below some others that are worth being opened alone, so that a dlopen of the others that
/// follows takes less time. They stay open. Does nothing but on Linux with glibc; is safe to call from any thread.
///
/// The loader looks each symbol up in all libraries that were asked for together: with Debian's libavformat these are
/// 130, and there are 29,000 symbols. Most are the library's own or lie right below it, and are found in fewer steps when
/// the library was opened with no more than what it needs itself. That pays for libraries with many symbols; for others it
/// costs more than it saves. What can't be opened alone is left to the dlopen that follows.
void csystem_prepare_libraries(const char *const names[], int count);

#endif
