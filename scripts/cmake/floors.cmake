# SPDX-License-Identifier: GPL-3.0-or-later
# A floor of the house: a folder, a library castled_NAME, and the floors that it sees. It may include and call those and
# nothing else. tests/checks/layers.py reads SEES and holds the includes to it, a program of the whole floor and of what
# it sees the calls: a function of a floor above or beside is a symbol that the linker does not find.
#
#   castled_floor(NAME [SEES floor…] SOURCES file…)
set(castled_empty_main ${PROJECT_BINARY_DIR}/generated/empty_main.c)
file(CONFIGURE OUTPUT ${castled_empty_main} CONTENT "int main(void)\n{\n    return 0;\n}\n")

function(castled_floor name)
    cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "SEES;SOURCES")
    list(TRANSFORM floor_SEES PREPEND castled_)
    add_library(castled_${name} STATIC ${floor_SOURCES})
    target_link_libraries(castled_${name} PUBLIC castled_flags ${floor_SEES})
    if(BUILD_TESTING)
        add_executable(floor_${name} ${castled_empty_main})
        target_link_libraries(floor_${name} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,castled_${name}>)
        set_target_properties(floor_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/floors)
    endif()
endfunction()
