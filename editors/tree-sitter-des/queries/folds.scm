[
  (vault)
  (drawing)
  (lua_block)
] @fold
