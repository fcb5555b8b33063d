; The lines of Lua between two headers are one text to Lua, a block is a text of its own.
((lua_line (lua_code) @injection.content)
  (#set! injection.language "lua")
  (#set! injection.combined))

((lua_block (lua_code) @injection.content)
  (#set! injection.language "lua"))

((lua_expression) @injection.content
  (#set! injection.language "lua"))
