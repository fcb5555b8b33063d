; The lines of Lua of a file are one text to Lua, each block is a text of its own.
((lua_line (lua_code) @injection.content)
  (#set! injection.language "lua")
  (#set! injection.combined))

((lua_block (lua_code) @injection.content)
  (#set! injection.language "lua"))

((lua_expression) @injection.content
  (#set! injection.language "lua"))
