-- What Lua 5.4 has and 5.1 lacks. Gets the operators on whole numbers, returns what translated scripts call.
local raw = ...
local type, tostring, tonumber, error, select = type, tostring, tonumber, error, select
local getmetatable, getfenv, setfenv, unpack = getmetatable, getfenv, setfenv, unpack
local floor, huge, frexp, fmod = math.floor, math.huge, math.frexp, math.fmod
local find, plain_format, gsub, gmatch = string.find, string.format, string.gsub, string.gmatch
local match, pcall, running, status = string.match, pcall, coroutine.running, coroutine.status
local main = raw.main
local helpers = { environment = getfenv }

local function metamethod(value, event)
  if type(value) == "string" then return nil end
  local metatable = getmetatable(value)
  return type(metatable) == "table" and metatable[event] or nil
end

-- The error of an operand, by its name if the text shows one. The names are behind whether they are floats.
local function wrong_operand(what, is_first, a, b, names, other_names)
  names = type(names) == "string" and names or other_names
  local culprit, name = b, names and match(names, "|(.+)")
  if is_first then culprit, name = a, names and match(names, "^([^|]+)") end
  local kind = "a " .. type(culprit) .. " value"
  error("attempt to perform " .. what .. " on " .. (name and name .. " (" .. kind .. ")" or kind), 4)
end

local function operand(value)
  if type(value) == "string" then return tonumber(value) end
  return type(value) == "number" and value or nil
end

local function by_metatable(event, a, b, names, other_names)
  local handler = metamethod(a, event) or metamethod(b, event)
  if handler then return (handler(a, b)) end
  wrong_operand("arithmetic", not operand(a), a, b, names, other_names)
end

function helpers.idiv(a, b, are_floats, names)
  local x, y = operand(a), operand(b)
  if not x or not y then return by_metatable("__idiv", a, b, are_floats, names) end
  if y == 0 and are_floats ~= true and x == floor(x) then error("attempt to divide by zero", 2) end
  return floor(x / y)
end

function helpers.remainder(a, b, are_floats, names)
  local x, y = operand(a), operand(b)
  if not x or not y then return by_metatable("__mod", a, b, are_floats, names) end
  if y == 0 and are_floats ~= true and x == floor(x) then error("attempt to perform 'n%0'", 2) end
  -- What 5.1 divides by an infinite number is none.
  if y == huge or y == -huge then return (x == 0 or (x < 0) == (y < 0)) and x or x == x and y or x end
  local is_exact = x == floor(x) and y == floor(y) and x < 2 ^ 53 and x > -2 ^ 53
  if is_exact then return x % y end
  -- With fractions 5.1 loses digits: it multiplies the whole part of the quotient.
  local rest = fmod(x, y)
  if rest ~= 0 and (rest < 0) ~= (y < 0) then rest = rest + y end
  return rest
end

-- Texts are no numbers there.
local function by_bits(event, a, b, names)
  local handler = metamethod(a, event) or metamethod(b, event)
  if handler then return (handler(a, b)) end
  wrong_operand("bitwise operation", type(a) ~= "number", a, b, names)
end

for _, name in ipairs { "band", "bor", "bxor", "shl", "shr" } do
  local calculate = raw[name]
  helpers[name] = function(a, b, names)
    if type(a) ~= "number" or type(b) ~= "number" then return by_bits("__" .. name, a, b, names) end
    local result = calculate(a, b)
    if not result then error("number has no integer representation", 2) end
    return result
  end
end

function helpers.bnot(a, names)
  if type(a) ~= "number" then return by_bits("__bnot", a, a, names) end
  local result = raw.bxor(a, -1)
  if not result then error("number has no integer representation", 2) end
  return result
end

-- The step of a loop.
function helpers.step(value)
  if value == 0 then error("'for' step is zero", 2) end
  return value
end

-- A number that is a float, written as such. With a fraction it is so by itself and keeps all digits.
function helpers.text(value)
  if type(value) ~= "number" then return value end
  local text = tostring(value)
  if find(text, "^%-?%d+$") then return text .. ".0" end
  return value
end

-- The same for a number that is one on a condition, or unless it is a whole number that is known.
function helpers.text_if(value, is_float, whole)
  if is_float and value ~= whole then return helpers.text(value) end
  return value
end

-- The greatest or least of numbers, written as what it is. The kinds tell which are floats.
function helpers.extreme(which, kinds, ...)
  math[which](...)
  local values, at = { ... }, 1
  for i = 2, #values do
    local is_beyond = which == "max" and values[i] > values[at] or which == "min" and values[i] < values[at]
    if is_beyond then at = i end
  end
  if kinds:sub(at, at) == "f" then return helpers.text(values[at]) end
  return values[at]
end

function helpers.len(value, name)
  local kind = type(value)
  local handler = kind == "table" and metamethod(value, "__len")
  if handler then return (handler(value)) end
  if kind ~= "table" and kind ~= "string" and kind ~= "userdata" then
    local what = "a " .. kind .. " value"
    error("attempt to get length of " .. (name and name .. " (" .. what .. ")" or what), 2)
  end
  return #value
end

-- Errors of arguments are the caller's.
local function bad_argument(index, name, wanted, count, value)
  local got = index > count and "no value" or type(value)
  error("bad argument #" .. index .. " to '" .. name .. "' (" .. wanted .. " expected, got " .. got .. ")", 3)
end

-- %d wants whole numbers, %s takes anything.
local function checked(specification, index, value)
  local kind = specification:sub(-1)
  if kind == "s" then
    return type(value) == "string" and value or tostring(value)
  end
  local number = kind ~= "q" and tonumber(value)
  local fits = number and number == floor(number) and number < 2 ^ 63 and number >= -2 ^ 63
  if number and find(kind, "[dixXoc]") and not fits then
    error("bad argument #" .. index + 1 .. " to 'format' (number has no integer representation)", 3)
  end
  return value
end

local SPECIFICATION = "%%[%-+ #0]*%d*%.?%d*."

-- A float with all its digits.
local function exactly(value)
  local mantissa, exponent = frexp(value < 0 and -value or value)
  local rest, digits = mantissa * 2 - 1, ""
  while rest > 0 do
    local digit = floor(rest * 16)
    digits, rest = digits .. plain_format("%x", digit), rest * 16 - digit
  end
  local sign, point = value < 0 and "-" or "", digits == "" and "" or "."
  return sign .. "0x1" .. point .. digits .. plain_format("p%+d", exponent - 1)
end

-- A value that is no text, as a script writes it.
local function literal(value, index)
  if type(value) == "number" then
    if value ~= value then return "(0/0)" end
    if value == huge then return "1e9999" end
    if value == -huge then return "-1e9999" end
    return value == floor(value) and plain_format("%d", value) or exactly(value)
  end
  if value == nil or type(value) == "boolean" then return tostring(value) end
  error("bad argument #" .. index + 1 .. " to 'format' (value has no literal form)", 3)
end

function string.format(format, ...)
  local count = select("#", ...)
  if type(format) ~= "string" and type(format) ~= "number" then
    bad_argument(1, "format", "string", format == nil and 0 or 1, format)
  end
  local values, index = { ... }, 0
  local literals
  for specification in gmatch(format, SPECIFICATION) do
    if specification ~= "%%" then
      index = index + 1
      if index <= count then
        values[index] = checked(specification, index, values[index])
        if specification == "%q" and type(values[index]) ~= "string" then
          literals = literals or {}
          literals[index], values[index] = true, literal(values[index], index)
        end
      end
    end
  end
  if literals then
    index = 0
    format = gsub(format, SPECIFICATION, function(specification)
      if specification == "%%" then return end
      index = index + 1
      if literals[index] then return "%s" end
    end)
  end
  local ok, text = pcall(plain_format, format, unpack(values, 1, count))
  if not ok then error((gsub(tostring(text), "to '%?'", "to 'format'")), 2) end
  return text
end

-- Whatever is the message is the error, and no place is told.
function assert(...)
  local condition, message = ...
  if condition then return ... end
  local count = select("#", ...)
  if count == 0 then bad_argument(1, "assert", "value", 0) end
  if count == 1 then message = "assertion failed!" end
  error(message, 0)
end

function table.pack(...) return { n = select("#", ...), ... } end

function table.move(from, first, last, at, to)
  to = to or from
  if last < first then return to end
  if at > last or at <= first or to ~= from then
    for i = 0, last - first do to[at + i] = from[first + i] end
  else
    for i = last - first, 0, -1 do to[at + i] = from[first + i] end
  end
  return to
end

math.maxinteger, math.mininteger = 9007199254740992, -9007199254740992

function math.type(value)
  if type(value) ~= "number" then
    if value == nil then error("bad argument #1 to 'type' (value expected)", 2) end
    return nil
  end
  return value == floor(value) and value ~= huge and value ~= -huge and "integer" or "float"
end

function math.tointeger(value)
  local number = operand(value)
  return number and number == floor(number) and number ~= huge and number ~= -huge and number or nil
end

function math.ult(a, b)
  if (a < 0) ~= (b < 0) then return b < 0 end
  return a < b
end

-- No word is a number, and one of a base may have a sign.
function _G.tonumber(...)
  local value, base = ...
  if select("#", ...) == 0 then error("bad argument #1 to 'tonumber' (value expected)", 2) end
  if base == nil then
    if type(value) == "string" and find(value, "[nN]") then return nil end
    return (tonumber(value))
  end
  if type(value) ~= "string" then bad_argument(1, "tonumber", "string", 1, value) end
  local radix = operand(base)
  if not radix then bad_argument(2, "tonumber", "number", 2, base) end
  if radix < 2 or radix >= 37 then error("bad argument #2 to 'tonumber' (base out of range)", 2) end
  local sign, digits = value:match("^%s*(%-?)(%w+)%s*$")
  if not digits then return nil end
  -- 5.1 takes `1e2` for a number of base 10, and `0x10` for one of base 16.
  for digit in gmatch(digits, ".") do
    if tonumber(digit, 36) >= radix then return nil end
  end
  local number = tonumber(digits, radix)
  return sign == "-" and -number or number
end

local log, log10, log2 = math.log, math.log10, raw.log2
function math.log(...)
  local count, x, base = select("#", ...), ...
  if not operand(x) then bad_argument(1, "log", "number", count, x) end
  if base == nil then return log(x) end
  if not operand(base) then bad_argument(2, "log", "number", count, base) end
  if operand(base) == 10 then return log10(x) end
  if operand(base) == 2 then return log2(operand(x)) end
  return log(x) / log(base)
end

-- What `ipairs` goes on with where a list has a metatable that is asked.
raw.iterate(function(list, index)
  local value = list[index + 1]
  if value ~= nil then return index + 1, value end
end)

function coroutine.isyieldable() return running() ~= nil end
function coroutine.running() return running() or main, running() == nil end
function coroutine.close(thread)
  if type(thread) ~= "thread" then bad_argument(1, "close", "coroutine", 1, thread) end
  if status(thread) == "dead" then return true end
  error("coroutine.close needs Lua 5.4 itself, and this program runs 5.1: let the coroutine end", 2)
end
function math.fmod(...)
  local count, a, b = select("#", ...), ...
  local x, y = operand(a), operand(b)
  if not x then bad_argument(1, "fmod", "number", count, a) end
  if not y then bad_argument(2, "fmod", "number", count, b) end
  if y == 0 and x == floor(x) then error("bad argument #2 to 'fmod' (zero)", 2) end
  return fmod(x, y)
end
function warn() end
crawl = crawl or {}
function crawl.setfenv(f, environment, ...)
  if type(f) ~= "function" then error("crawl.setfenv: First argument must be a function", 2) end
  if type(environment) ~= "table" then
    error("crawl.setfenv: Second argument must be an environment table", 2)
  end
  if select("#", ...) > 0 then error("crawl.setfenv: Too many arguments given", 2) end
  return setfenv(f, environment)
end
_VERSION = "Lua 5.4"

return helpers
