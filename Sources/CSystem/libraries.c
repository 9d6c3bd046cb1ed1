#define _GNU_SOURCE  // dlinfo
#include "CSystem.h"

#include <dlfcn.h>

#ifdef __GLIBC__

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The symbols that a library must have looked up to be opened alone: with Debian's FFmpeg, 20 of 55 libraries have so
/// many. With 0 or 200 for it, a third to all of the gain is lost.
enum { worthwhile_symbols = 100 };

enum { max_needed = 64, max_name = 128, max_headers = 64, max_dynamic = 1024 };

/// What the loader reads of a library first.
struct library {
    char needed[max_needed][max_name];
    int needed_count;
    /// How many symbols are looked up when it is opened, with RTLD_LAZY.
    uint64_t symbols;
};

static int read_fully(int file, void *bytes, size_t size, uint64_t offset) {
    return offset <= INT64_MAX - size && pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

/// Where in the file an address lies, or 0.
static uint64_t file_offset(const ElfW(Phdr) *headers, int count, ElfW(Addr) address) {
    for (int i = 0; i < count; i++) {
        const ElfW(Phdr) *header = &headers[i];
        if (header->p_type != PT_LOAD || address < header->p_vaddr) continue;
        if (address - header->p_vaddr < header->p_filesz) return address - header->p_vaddr + header->p_offset;
    }
    return 0;
}

/// Reads the dynamic section of a library (System V ABI, chapter 5). Of a file that is none, nothing is found.
static void read_library(int file, struct library *library) {
    memset(library, 0, sizeof *library);
    ElfW(Ehdr) elf;
    if (!read_fully(file, &elf, sizeof elf, 0) || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (elf.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) return;

    ElfW(Phdr) headers[max_headers];
    int header_count = elf.e_phnum;
    if (elf.e_phentsize != sizeof *headers || header_count > max_headers) return;
    if (!read_fully(file, headers, header_count * sizeof *headers, elf.e_phoff)) return;

    ElfW(Dyn) entries[max_dynamic];
    size_t entry_count = 0;
    for (int i = 0; i < header_count; i++) {
        if (headers[i].p_type != PT_DYNAMIC) continue;
        entry_count = headers[i].p_filesz / sizeof *entries;
        if (entry_count > max_dynamic) return;
        if (!read_fully(file, entries, entry_count * sizeof *entries, headers[i].p_offset)) return;
        break;
    }

    uint64_t names = 0, relocations = 0, relative = 0, calls = 0;
    int is_bound_now = 0;
    for (size_t i = 0; i < entry_count && entries[i].d_tag != DT_NULL; i++) {
        uint64_t value = entries[i].d_un.d_val;
        switch (entries[i].d_tag) {
            case DT_STRTAB: names = file_offset(headers, header_count, entries[i].d_un.d_ptr); break;
            case DT_RELASZ: relocations = value / sizeof(ElfW(Rela)); break;
            case DT_RELACOUNT: relative = value; break;
            case DT_PLTRELSZ: calls = value / sizeof(ElfW(Rela)); break;
            // It has a search path of its own, which only the loader follows.
            case DT_RPATH:
            case DT_RUNPATH: return;
            case DT_BIND_NOW: is_bound_now = 1; break;
            case DT_FLAGS: is_bound_now |= (value & DF_BIND_NOW) != 0; break;
            case DT_FLAGS_1: is_bound_now |= (value & DF_1_NOW) != 0; break;
        }
    }
    library->symbols = (relocations > relative ? relocations - relative : 0) + (is_bound_now ? calls : 0);
    if (!names) return;
    for (size_t i = 0; i < entry_count && entries[i].d_tag != DT_NULL && library->needed_count < max_needed; i++) {
        if (entries[i].d_tag != DT_NEEDED) continue;
        char *name = library->needed[library->needed_count];
        // Fewer bytes are there when the name is the last thing in the file.
        ssize_t length = pread(file, name, max_name, (off_t)(names + entries[i].d_un.d_val));
        if (length > 0 && memchr(name, 0, length)) library->needed_count++;
    }
}

/// Finds and reads a library in the folders in which the loader looks first; one that only the loader's cache knows is not
/// found.
static void find_library(const char *name, const Dl_serinfo *folders, struct library *library) {
    library->needed_count = 0;
    library->symbols = 0;
    for (unsigned i = 0; i < folders->dls_cnt; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[i].dls_name, name);
        if (length < 0 || (size_t)length >= sizeof path) continue;
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        read_library(file, library);
        close(file);
        return;
    }
}

/// The folders in which the loader looks for the libraries of this program; NULL without memory.
static Dl_serinfo *search_folders(void) {
    void *program = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo size, *folders = NULL;
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0 && (folders = malloc(size.dls_size))) {
        folders->dls_size = size.dls_size;
        folders->dls_cnt = size.dls_cnt;
        if (dlinfo(program, RTLD_DI_SERINFO, folders) != 0) folders->dls_cnt = 0;
    }
    if (program) dlclose(program);
    return folders;
}

void csystem_prepare_libraries(const char *const names[], int count) {
    Dl_serinfo *folders = search_folders();
    struct library *library = malloc(2 * sizeof *library), *below = library + 1;
    for (int i = 0; folders && library && i < count; i++) {
        find_library(names[i], folders, library);
        for (int k = 0; k < library->needed_count; k++) {
            find_library(library->needed[k], folders, below);
            if (below->symbols >= worthwhile_symbols) dlopen(library->needed[k], RTLD_LAZY | RTLD_LOCAL);
        }
    }
    free(library);
    free(folders);
}

#else

void csystem_prepare_libraries(const char *const names[], int count) { (void)names, (void)count; }

#endif
