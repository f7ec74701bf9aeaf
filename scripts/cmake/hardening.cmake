# SPDX-License-Identifier: GPL-3.0-or-later
# What makes a fault hard to exploit. Instrumented builds look for faults instead, and Debug builds
# have no optimiser for FORTIFY to rest on. tests/checks/hardening.py looks for all of it in the programs.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C) # from here on CMake links programs, and only programs, with -pie
if(CASTLED_STATIC)
    set(CMAKE_C_LINK_OPTIONS_PIE -static-pie) # its own address in memory all the same
endif()
target_link_options(castled_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CASTLED_SANITIZE)
    set(CASTLED_IS_HARDENED ON)
    # Level 3 also checks objects whose size is known at run time only.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
        set(fortify 2)
    else()
        set(fortify 3)
    endif()
    target_compile_options(castled_flags INTERFACE
        -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify} -fstack-protector-strong -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        # Shadow stacks ask nothing of the C library's start files, which Debian builds without a mark.
        target_compile_options(castled_flags INTERFACE -fcf-protection=full)
        target_link_options(castled_flags INTERFACE -Wl,-z,shstk)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        target_compile_options(castled_flags INTERFACE -mbranch-protection=standard)
    endif()
endif()
