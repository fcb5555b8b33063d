-- Machines that lay clouds (spec 07 section 12.8).

util.subclass(Triggerable, "FogMachine")
dlua_register_marker_table(FogMachine)

local DEFAULTS = {
  pow_min = 1, pow_rolls = 3, cloud_type = "thin mist", walk_dist = 0, spread_rate = -1,
  kill_cat = "other", start_clouds = 1, excl_rad = 1, size_buildup_amnt = 0, size_buildup_time = 1,
  spread_buildup_amnt = 0, spread_buildup_time = 1, countdown_limit = 200,
}

function FogMachine:new(parameters)
  if not parameters then error("No parameters provided", 2) end
  if not parameters.pow_max then error("No pow_max provided.", 2) end
  if not (parameters.delay or (parameters.delay_min and parameters.delay_max)) then
    error("Delay parameters not provided.", 2)
  end
  if not (parameters.size or (parameters.size_min and parameters.size_max)) then
    error("Size parameters not provided.", 2)
  end
  local machine = Triggerable.new(self)
  for name, default in pairs(DEFAULTS) do
    local given = parameters[name]
    machine[name] = given == nil and default or given
  end
  machine.pow_max, machine.buildup_turns = parameters.pow_max, 0
  machine.size_min = parameters.size_min or parameters.size or 1
  machine.size_max = parameters.size_max or parameters.size
  machine:add_triggerer(DgnTriggerer:new {
    type = "turn", delay = parameters.delay, delay_min = parameters.delay_min,
    delay_max = parameters.delay_max, countdown_limit = machine.countdown_limit,
  })
  machine:add_triggerer(DgnTriggerer:new { type = "entered_level" })
  if parameters.listener then machine:add_listener(parameters.listener) end
  return machine
end

function fog_machine(parameters) return FogMachine:new(parameters) end
function chained_fog_machine(parameters)
  return Triggerable.synchronized_markers(FogMachine:new(parameters))
end

function fog_machine_geyser(cloud, size, power, amount, time)
  return FogMachine:new {
    cloud_type = cloud, pow_max = power, size = size, delay_min = power, delay_max = power * 2,
    size_buildup_amnt = amount or 0, size_buildup_time = time or 1,
  }
end

function fog_machine_spread(cloud, size, power, amount, time)
  return FogMachine:new {
    cloud_type = cloud, pow_max = power, spread_rate = size, size = 1, delay_min = 5, delay_max = 15,
    spread_buildup_amnt = amount or 0, spread_buildup_time = time or 1,
  }
end

function fog_machine_brownian(cloud, size, power)
  return FogMachine:new {
    cloud_type = cloud, size = 1, pow_max = power, walk_dist = size, delay_min = 1,
    delay_max = power / size,
  }
end

-- Listeners that announce a cloud.

function warning_machine(turns, cantsee_message, see_message, see_func)
  if not turns or not (cantsee_message or see_message) then
    error("WarningMachine requires turns and message!", 2)
  end
  return {
    func = "lmark.announce", warn_turns = turns, warn_cantsee = cantsee_message,
    warn_see = see_message, see_func = see_func and global_function(see_func), once = true,
  }
end

function trigger_machine(cantsee_message, see_message, channel, see_func)
  if not (cantsee_message or see_message) then error("Triggermachine requires a message!", 2) end
  return {
    func = "lmark.announce", trig_cantsee = cantsee_message, trig_see = see_message,
    channel = channel or "plain", see_func = see_func and global_function(see_func),
  }
end

function tw_machine(warn_turns, warn_cantsee, trig_cantsee, trig_channel, trig_see, warn_see, see_func)
  if not warn_turns or not (warn_cantsee or warn_see) or not (trig_cantsee or trig_see) then
    error("TWMachine needs warning turns, warning message and triggering message.", 2)
  end
  return {
    func = "lmark.announce", warn_turns = warn_turns, warn_cantsee = warn_cantsee,
    warn_see = warn_see, trig_cantsee = trig_cantsee, trig_see = trig_see,
    channel = trig_channel or "plain", see_func = see_func and global_function(see_func),
  }
end

local function seen(listener, marker)
  local x, y = marker:pos()
  return (listener.see_func or you.see_cell)(x, y)
end

-- The see text if the machine is seen and has one, else the other.
function lmark.announce(listener, _, triggerer, marker, _)
  if triggerer.type ~= "turn" then return end
  if triggerer.sub_type == "countdown" then
    local text = listener.trig_see and seen(listener, marker) and listener.trig_see or listener.trig_cantsee
    if text then crawl.mpr(text, listener.channel) end
    listener.warned = listener.once and listener.warned or nil
  elseif listener.warn_turns and not listener.warned
    and triggerer.countdown <= 10 * listener.warn_turns then
    listener.warned = true
    local text = listener.warn_see and seen(listener, marker) and listener.warn_see or listener.warn_cantsee
    if text then crawl.mpr(text, "warning") end
  end
end
