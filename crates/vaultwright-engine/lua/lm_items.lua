-- Corpses that stay fresh until they are seen (spec 07 section 12.15).

function dgn.delayed_decay_extra(e, key, itemdesc, more)
  local fresh = "never_decay " .. itemdesc:gsub("[,/]", "%0 never_decay ")
  e.kitem(key .. " = " .. fresh .. (more and ", " .. more or ""))
  e.lua_marker(key, function()
    return function_in_los("dgn.activate_item_decay", nil, false, nil)
  end)
end

function dgn.delayed_decay(e, key, itemdesc) dgn.delayed_decay_extra(e, key, itemdesc) end

function dgn.activate_item_decay(_, _, _, marker)
  for _, item in ipairs(dgn.items_at(marker:pos())) do
    dgn.item_property_remove(item, CORPSE_NEVER_DECAYS)
  end
end
