# Targets Vaultwright::Vaultwright (shared) and Vaultwright::Static, from PREFIX/lib/cmake/Vaultwright.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_include "${_prefix}/include")
set(_shared "${_prefix}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}vaultwright_c${CMAKE_SHARED_LIBRARY_SUFFIX}")
set(_static "${_prefix}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}vaultwright_c${CMAKE_STATIC_LIBRARY_SUFFIX}")
set(Vaultwright_FOUND FALSE)
if(EXISTS "${_shared}" AND NOT TARGET Vaultwright::Vaultwright)
  add_library(Vaultwright::Vaultwright SHARED IMPORTED)
  set_target_properties(Vaultwright::Vaultwright PROPERTIES
    IMPORTED_LOCATION "${_shared}" IMPORTED_NO_SONAME TRUE INTERFACE_INCLUDE_DIRECTORIES "${_include}")
endif()
if(EXISTS "${_static}" AND NOT TARGET Vaultwright::Static)
  find_package(Threads REQUIRED)
  add_library(Vaultwright::Static STATIC IMPORTED)
  set_target_properties(Vaultwright::Static PROPERTIES
    IMPORTED_LOCATION "${_static}" INTERFACE_INCLUDE_DIRECTORIES "${_include}"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
endif()
if(TARGET Vaultwright::Vaultwright OR TARGET Vaultwright::Static)
  set(Vaultwright_FOUND TRUE)
endif()
