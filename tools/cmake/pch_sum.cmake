# Writes PCH.sum, by which the compiler cache knows a precompiled header that
# names files of the checkout: the contents of what it was made from.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake -DPCH=FILE -DSOURCE=DIR -DBASE=TEXT -P pch_sum.cmake
#
# PCH.d lists the files. Those outside the checkout are the business of BASE.
file(READ "${PCH}.d" text)
string(REGEX REPLACE "^[^:]*:" "" text "${text}")
string(REGEX REPLACE "[\\\\ \n\t]+" ";" paths "${text}")
get_filename_component(build "." ABSOLUTE)
set(sum "${BASE}\n")
foreach(path IN LISTS paths)
  get_filename_component(path "${path}" ABSOLUTE)
  foreach(root IN ITEMS "${build}" "${SOURCE}")
    string(FIND "${path}" "${root}/" at)
    if(at EQUAL 0 AND NOT path MATCHES "\\.pch$" AND EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
      file(RELATIVE_PATH name "${root}" "${path}")
      file(SHA256 "${path}" hash)
      string(APPEND sum "${hash} ${name}\n")
      break()
    endif()
  endforeach()
endforeach()
file(WRITE "${PCH}.sum" "${sum}")
