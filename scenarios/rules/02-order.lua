-- Markers are made from the last cell to the first, and activated by columns (spec 07 section 22.2).
made, activated = 0, {}
CountedMarker = { CLASS = "CountedMarker" }
CountedMarker.__index = CountedMarker
function CountedMarker:activate(marker) activated[#activated + 1] = self.number end
function count()
  made = made + 1
  return setmetatable({ number = made }, CountedMarker)
end

vaults [[
NAME: order_of_markers
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:count()
SUBST: A = .
MAP
A.A
A..
ENDMAP
]]

scenario("evaluation and activation", function(t)
  local x, y = t.place("order_of_markers", 20, 20)
  -- Compiling the map has run its chunk, too.
  local before = made - 3
  t.equal(t.markers(x, y + 1), 1)
  t.equal(t.markers(x + 2, y), 1)
  t.equal(t.markers(x, y), 1)
  activated = {}
  t.activate()
  for i, value in ipairs(activated) do activated[i] = value - before end
  t.equal(activated, { 3, 1, 2 }, "by columns: (0,0), (0,1), (2,0)")
end)
