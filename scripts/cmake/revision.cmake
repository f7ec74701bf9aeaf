# SPDX-License-Identifier: GPL-3.0-or-later
# Which commit this is: "+1234abc", with "-dirty" where files differ from it. Of an archive that git wrote, what it put
# into .git_archival.txt. "" where nobody knows. As it was when CMake ran.
function(castled_revision root out)
    set(revision "")
    if(EXISTS ${root}/.git)
        execute_process(COMMAND git -C ${root} describe --always --dirty --exclude *
            OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    elseif(EXISTS ${root}/.git_archival.txt)
        file(STRINGS ${root}/.git_archival.txt revision LIMIT_COUNT 1)
    endif()
    if(revision MATCHES "^[0-9a-f]+(-dirty)?$")
        set(revision "+${revision}")
    else()
        set(revision "")
    endif()
    set(${out} "${revision}" PARENT_SCOPE)
endfunction()
