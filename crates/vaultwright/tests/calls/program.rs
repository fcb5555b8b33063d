//! Programs that call functions of the host at random, most of them as vaults do.

use vaultwright::rng::Streams;

use crate::corpus::Corpus;

/// What every program begins with: calls are counted and may fail, objects that come out are kept
/// to be arguments of others.
pub const PROLOGUE: &str = r#"
fuzz_seen, fuzz_all, fuzz_ok = {}, 0, 0
function fuzz_try(call)
  if type(call) == "string" then
    -- What was learned may be of another language than Lua.
    call = loadstring(call)
    if not call then return end
    setfenv(call, getfenv(2))
  end
  fuzz_all = fuzz_all + 1
  local result = { pcall(call) }
  if not result[1] then return end
  fuzz_ok = fuzz_ok + 1
  for i = 2, #result do
    local kind = type(result[i])
    if (kind == "table" or kind == "userdata" or kind == "function") and #fuzz_seen < 500 then
      fuzz_seen[#fuzz_seen + 1] = result[i]
    end
  end
end
function fuzz_some(n)
  if #fuzz_seen == 0 then return n end
  return fuzz_seen[n % #fuzz_seen + 1]
end
function fuzz_with(method, n)
  for i = 1, #fuzz_seen do
    local object = fuzz_seen[(n + i) % #fuzz_seen + 1]
    local found, member = pcall(function() return object[method] end)
    if found and type(member) == "function" then return object end
  end
end
function fuzz_not_tried()
  fuzz_all, fuzz_ok = fuzz_all - 1, fuzz_ok - 1
end
function fuzz_members(object)
  -- What objects can do is asked of them, since no vault may have done it yet.
  local names = {}
  local meta = getmetatable(object)
  for _, from in ipairs { object, type(meta) == "table" and meta.__index } do
    if type(from) == "table" then
      for name, member in pairs(from) do
        if type(name) == "string" and type(member) == "function" then names[#names + 1] = name end
      end
    end
  end
  table.sort(names)
  return names
end
"#;

/// Objects of every kind: a map, a placement's map, cells, markers, monsters, items, functions.
const OBJECTS: &str = r#"
fuzz_seen = {}
fuzz_try(function() return dgn.map_by_tag("fuzz_part") end)
fuzz_try(function() return dgn.place_map(dgn.map_by_tag("fuzz_part", false), true, true) end)
fuzz_try(function() for i = 1, 4 do fuzz_try(function() return dgn.get_vault_by_index(i) end) end end)
fuzz_try(function()
  for x = 1, 77, 4 do
    for y = 1, 68, 4 do
      local placement = dgn.vault_at(x, y)
      if placement then return placement, placement:map() end
    end
  end
end)
for i = 1, 3 do
  fuzz_try(function() local o = fuzz_with("map", i) return o:map() end)
  fuzz_try(function() return dgn.mons_at(30 + i, 20 + i) end)
  fuzz_try(function() return dgn.items_at(30 + i, 20 + i) end)
end
fuzz_try(function() return dgn.create_monster(35, 25, "rat") end)
fuzz_try(function() dgn.create_item(35, 25, "dagger") return dgn.items_at(35, 25)[1] end)
fuzz_try(function() return dgn.point(3, 4), dgn.marker_at_pos(35, 25), function() return 1 end end)
fuzz_try(function() return dgn.get_marker_positions_by_prop("connected_exit") end)
fuzz_try(function() return PortalDescriptor and PortalDescriptor:new { }, ItemSpec, fuzz_some end)
fuzz_try(function() return MonPlace and MonPlace:new(), Triggerable and Triggerable:new {} end)
"#;

/// Arguments that no vault gives.
const NASTY: &[&str] = &[
    "nil",
    "-1",
    "0",
    "2^31",
    "-2^31",
    "2^53",
    "0/0",
    "1/0",
    "\"\"",
    "{}",
    "{ {} }",
    "true",
    "_G",
    "('x'):rep(3000)",
    "\"\\0\"",
    "function() error('x') end",
    "function() return fuzz_some(1) end",
    "setmetatable({}, { __index = function(t, k) return k end })",
    "coroutine.create(print)",
];

/// Text of a program of so many calls, which says in the end by this function how many did not
/// fail.
pub fn program(corpus: &Corpus, die: &mut Streams, calls: usize, say: &str) -> String {
    let names: Vec<&String> = corpus.calls.keys().collect();
    let mut text = OBJECTS.to_owned();
    for _ in 0..calls {
        let name = names[die.random2(names.len() as i32) as usize];
        let call = match die.random2(16) {
            0 => any_member(corpus, die),
            _ => call_of(corpus, die, name),
        };
        text.push_str(&format!("fuzz_try([==[{call}]==])\n"));
    }
    let counts = "('fuzz: ' .. fuzz_ok .. ' of ' .. fuzz_all) fuzz_ok, fuzz_all = 0, 0\n";
    text.push_str(&format!("{say}{counts}"));
    text
}

fn call_of(corpus: &Corpus, die: &mut Streams, name: &str) -> String {
    let learned = &corpus.calls[name];
    let chosen = &learned[die.random2(learned.len() as i32) as usize];
    let mut arguments: Vec<String> = Vec::new();
    for (index, argument) in chosen.iter().enumerate() {
        let known = argument.clone().or_else(|| {
            // What another call gives in this place.
            let others: Vec<&String> =
                learned.iter().filter_map(|call| call.get(index)?.as_ref()).collect();
            (!others.is_empty()).then(|| others[die.random2(others.len() as i32) as usize].clone())
        });
        let nasty = die.random2(25) == 0;
        arguments.push(known.filter(|_| !nasty).unwrap_or_else(|| anything(corpus, die)));
    }
    let arguments = arguments.join(", ");
    match name.strip_prefix(':') {
        Some(method) => {
            let number = die.random2(500);
            format!(
                "local o = fuzz_with('{method}', {number}) if not o then return fuzz_not_tried() end \
                 return o:{method}({arguments})"
            )
        }
        None => format!(
            "local known, f = pcall(function() return {name} end) \
             if not known or f == nil then return fuzz_not_tried() end return {name}({arguments})"
        ),
    }
}

/// Something that an object or a table of functions can do, with arguments of others.
fn any_member(corpus: &Corpus, die: &mut Streams) -> String {
    let tables = ["dgn", "crawl", "you", "mons", "items", "feat", "los", "view", "travel", "util"];
    let number = die.random2(5000);
    let count = die.random2(5);
    let arguments: Vec<String> = (0..count).map(|_| anything(corpus, die)).collect();
    let arguments = arguments.join(", ");
    if die.random2(2) == 0 {
        let table = tables[die.random2(tables.len() as i32) as usize];
        return format!(
            "local n = fuzz_members({table}) return {table}[n[{number} % #n + 1]]({arguments})"
        );
    }
    let comma = if count > 0 { ", " } else { "" };
    format!(
        "local o = fuzz_some({number}) local n = fuzz_members(o) \
         return o[n[{number} % #n + 1]](o{comma}{arguments})"
    )
}

fn anything(corpus: &Corpus, die: &mut Streams) -> String {
    let number = die.random2(500);
    match die.random2(20) {
        0 => NASTY[die.random2(NASTY.len() as i32) as usize].to_owned(),
        1..6 => format!("fuzz_some({number})"),
        6..14 => (die.random2(70) + 1).to_string(),
        _ => corpus.values[die.random2(corpus.values.len() as i32) as usize].clone(),
    }
}
