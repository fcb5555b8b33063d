-- Machines that lay clouds (spec 07 section 12.8).

lmark.class(Triggerable, "FogMachine", "fog_machine")

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

function FogMachine:do_trigger(triggerer, marker, event)
  if triggerer.type == "turn" then
    self.buildup_turns = math.min(self.buildup_turns + event:ticks(), self.size_buildup_time)
  elseif triggerer.type == "entered_level" and event:arg1() ~= 1 then
    self.triggerers[1]:reset_countdown()
  end
  triggerer.listener_only = triggerer.type == "turn" and triggerer.sub_type ~= "countdown"
  Triggerable.do_trigger(self, triggerer, marker, event)
end

-- Between two clouds nothing happens, unless somebody announces them.
function FogMachine:event(marker, event)
  Triggerable.event(self, marker, event)
  if #self.listeners == 0 and not self.removed then
    lmark.sleep(self, marker, self.triggerers[1].countdown)
  end
end

function FogMachine:activate(marker, verbose)
  lmark.note_home(self, marker)
  Triggerable.activate(self, marker, verbose)
end

function FogMachine:on_trigger(triggerer, marker, event)
  local x, y = marker:pos()
  if triggerer.type == "turn" then
    self:lay_cloud(x, y)
  elseif triggerer.type == "entered_level" and event:arg1() ~= 1 then
    for _ = 1, self.start_clouds do self:lay_cloud(x, y) end
  end
end

function FogMachine:lay_cloud(x, y)
  if self.walk_dist > 0 then x, y = dgn.random_walk(x, y, self.walk_dist) end
  local built_up = math.min(self.buildup_turns, self.size_buildup_time)
  local growth = self.size_buildup_amnt * built_up / self.size_buildup_time
  local low, high = math.max(self.size_min + growth, 0), self.size_max + growth
  local spread = self.spread_rate
  if self.spread_buildup_amnt ~= 0 then
    built_up = math.min(self.buildup_turns, self.spread_buildup_time)
    spread = spread + self.spread_buildup_amnt * built_up / self.spread_buildup_time
  end
  local size = crawl.random_range(low, high, 1)
  dgn.apply_area_cloud(x, y, self.pow_min, self.pow_max, self.pow_rolls, size, self.cloud_type,
    self.kill_cat, spread, self.excl_rad)
end

-- What a machine keeps, in the order in which it is saved; true for texts.
local SAVED = {
  { "cloud_type", true }, { "walk_dist" }, { "pow_min" }, { "pow_max" }, { "pow_rolls" },
  { "kill_cat", true }, { "size_min" }, { "size_max" }, { "spread_rate" }, { "start_clouds" },
  { "size_buildup_amnt" }, { "size_buildup_time" }, { "spread_buildup_amnt" },
  { "spread_buildup_time" }, { "buildup_turns" }, { "excl_rad" },
}

function FogMachine:write(marker, th)
  Triggerable.write(self, marker, th)
  for _, field in ipairs(SAVED) do file.marshall(th, self[field[1]]) end
end

function FogMachine:read(marker, th)
  Triggerable.read(self, marker, th)
  for _, field in ipairs(SAVED) do
    local unmarshall = field[2] and file.unmarshall_string or file.unmarshall_number
    self[field[1]] = unmarshall(th)
  end
  return setmetatable(self, FogMachine)
end

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
    if not listener.once then listener.warned = false end
  elseif listener.warn_turns and not listener.warned
    and triggerer.countdown <= 10 * listener.warn_turns then
    listener.warned = true
    local text = listener.warn_see and seen(listener, marker) and listener.warn_see or listener.warn_cantsee
    if text then crawl.mpr(text, "warning") end
  end
end
