import { contestedMs, goneMs, leaseMs } from '../leases/authority.ts';
import { placesEnd, placesOfShard, shards } from '../leases/parts.ts';
import { type ValkeyScript, valkeyScript } from './connection.ts';

/*
 * What the authority does, each in one step on the server (Lua 5.1, whose numbers are exact up to 2^53). Keys:
 *   <prefix>state        epoch, its number and time, when grants may begin, the last holder's number, a count of steps
 *   <prefix>holders      by number: turn, when it was heard, resolved minutes, whether it has left, its last whole epoch
 *   <prefix>of:<holder>  names of the resources that it has something of
 *   <prefix>r:<name>     a resource: `b` = before; by number of holder: used, open, unused, when it was granted too little
 *   <prefix>days, <prefix>day:<day>   days of resources, and the names of those of each
 */

/** How long a day's resources are kept without `forget`. */
const keptSeconds = 3 * 86_400;

const prelude = `
local prefix, now = ARGV[1], tonumber(ARGV[2])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local state, registry = prefix .. 'state', prefix .. 'holders'
local whole = function(number) return string.format('%.0f', number) end
local resource = function(name) return prefix .. 'r:' .. name end
local named = function(holder) return prefix .. 'of:' .. holder end
local isRate = function(name) return string.sub(name, -7) == ':rate:0' end
local unpackHolder = function(text)
  local turn, last, ad, offer, left, wholeIn = struct.unpack('dddddd', text)
  return { turn = turn, last = last, ad = ad, offer = offer, left = left, wholeIn = wholeIn }
end
local keepHolder = function(number, one)
  redis.call('HSET', registry, number,
    struct.pack('dddddd', one.turn, one.last, one.ad, one.offer, one.left, one.wholeIn))
end
local holderOf = function(number)
  local text = redis.call('HGET', registry, number)
  return text and unpackHolder(text)
end
local holders = function()
  local flat, all = redis.call('HGETALL', registry), {}
  for index = 1, #flat, 2 do all[flat[index]] = unpackHolder(flat[index + 1]) end
  return all
end
`;

/** The server's epoch, and whether it knows less than the caller has seen. */
const noticing = `
local notice = function(seen, all)
  local info = redis.call('INFO', 'server') .. redis.call('INFO', 'replication')
  local id = string.match(info, 'run_id:(%x+)') .. ':' .. (string.match(info, 'master_replid:(%x+)') or '')
  local kept = redis.call('HMGET', state, 'epoch', 'number', 'since', 'quiet', 'steps')
  local epoch = {
    number = tonumber(kept[2] or 0), since = tonumber(kept[3] or 0),
    quiet = tonumber(kept[4] or 0), steps = tonumber(kept[5] or 0) + 1,
  }
  if kept[1] ~= id then
    epoch.number, epoch.since = epoch.number + 1, now
    local knowsNobody = true
    for _, one in pairs(all) do if one.left == 0 then knowsNobody = false end end
    if knowsNobody then epoch.quiet = now + ${leaseMs} end
  end
  if seen >= epoch.steps then
    epoch.quiet, epoch.steps = now + ${leaseMs}, seen + 1
  end
  redis.call('HSET', state, 'epoch', id, 'number', whole(epoch.number), 'since', whole(epoch.since),
    'quiet', whole(epoch.quiet), 'steps', whole(epoch.steps))
  return epoch
end
`;

/** Holder numbers per second, and until they repeat: 497 days. */
const slotMs = 20;
const numbersMax = 2 ** 31 - 1;
const slotsBackMax = 50;

/**
 * Arguments: what the caller has seen. Answers a number and the step count, or 0 and how long to wait. Numbers are made
 * of the server's time, so that lost data repeats none.
 */
export const join: ValkeyScript = valkeyScript(`${prelude}${noticing}
local epoch = notice(tonumber(ARGV[3]), holders())
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
local slot = math.floor(ms / ${slotMs})
local last = tonumber(redis.call('HGET', state, 'last') or -1)
if last < 0 then
  -- Whoever joined a moment ago, before all was lost, has the number of this moment.
  last = slot
  redis.call('HSET', state, 'last', whole(slot))
end
if last - slot > ${slotsBackMax} then slot = last + 1 end
local number = whole(slot % ${numbersMax} + 1)
if slot <= last or redis.call('HEXISTS', registry, number) == 1 then
  return { 0, (math.max(last, slot) + 1) * ${slotMs} - ms }
end
redis.call('HSET', state, 'last', whole(slot))
keepHolder(number, { turn = -1, last = now, ad = 0, offer = 0, left = 0, wholeIn = epoch.number })
return { tonumber(number), epoch.steps }
`);

/** First answer of `report`. */
export const reported = { taken: 0, unknown: 1, late: 2 } as const;

/**
 * Arguments: what the caller has seen, holder, turn, resolved minutes, of which places it is whole and the epoch of those
 * before, and the limits as JSON: name, day, line, before, counted, used, open, unused, wanted. Answers what became of it,
 * the count of steps, whether the next is to be whole, the number of holders, the epoch by its time, and of each limit
 * what is granted, whether it is contested, before, and what is held beyond the line.
 */
export const report: ValkeyScript = valkeyScript(`${prelude}${noticing}
local me, turn, from, to = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[8]), tonumber(ARGV[9])
local all = holders()
local epoch = notice(tonumber(ARGV[3]), all)
local isWhole = to == ${placesEnd} and (from == 0 or tonumber(ARGV[10]) == epoch.since)
local isCovered = function(name)
  local id = tonumber(string.match(name, '^[^:]+:(%d+):'))
  local place = id % ${shards} * ${placesOfShard} + id
  return place >= from and place < to
end
local own = all[me]
if not own or own.left == 1 then return { ${reported.unknown}, epoch.steps } end
if turn <= own.turn then return { ${reported.late}, epoch.steps } end
local limits = cjson.decode(ARGV[11])
local isSilent = function(one) return now - one.last >= ${leaseMs} end

if to > 0 or isSilent(own) then
  for _, name in ipairs(redis.call('SMEMBERS', named(me))) do
    if isCovered(name) or (isSilent(own) and isRate(name)) then
      redis.call('HDEL', resource(name), me)
      redis.call('SREM', named(me), name)
    end
  end
end
own.turn, own.last, own.ad, own.offer = turn, now, tonumber(ARGV[6]), tonumber(ARGV[7])
if isWhole then own.wholeIn = epoch.number end
keepHolder(me, own)

local silent, count, isQuiet = {}, 0, now < epoch.quiet
for number, one in pairs(all) do
  silent[number] = isSilent(one)
  if one.left == 0 then
    if not silent[number] then count = count + 1 end
    if one.wholeIn ~= epoch.number and now - math.max(one.last, epoch.since) < ${leaseMs} then isQuiet = true end
  end
end

local answer = { ${reported.taken}, epoch.steps, own.wholeIn ~= epoch.number and 1 or 0, count, epoch.since }
for _, limit in ipairs(limits) do
  local name, day, line, before, counted, used, open, unused, wanted = unpack(limit)
  local key, rate = resource(name), isRate(name)
  local known, isMine, held, contested = nil, false, used + unused, 0
  local flat = redis.call('HGETALL', key)
  for index = 1, #flat, 2 do
    local field = flat[index]
    if field == 'b' then known = tonumber(flat[index + 1])
    elseif field == me then isMine = true
    else
      local otherUsed, _, otherUnused, short = struct.unpack('dddd', flat[index + 1])
      if not (rate and silent[field]) then held = held + otherUsed + otherUnused end
      if short > 0 and now - short < ${contestedMs} then contested = 1 end
    end
  end
  before = math.max(before, known or counted)
  local granted = 0
  if not isQuiet then granted = math.max(0, math.min(wanted, line - before - held)) end
  local short = granted < wanted and now or 0
  redis.call('HSET', key, 'b', whole(before), me, struct.pack('dddd', used, open, unused + granted, short))
  if not isMine then redis.call('SADD', named(me), name) end
  if not known and day > 0 then
    redis.call('SADD', prefix .. 'days', day)
    redis.call('SADD', prefix .. 'day:' .. whole(day), name)
    redis.call('EXPIRE', key, ${keptSeconds})
  end
  answer[#answer + 1] = granted
  answer[#answer + 1] = contested
  answer[#answer + 1] = before
  answer[#answer + 1] = math.max(0, before + held - line)
end
return answer
`);

/** Arguments: the holder. */
export const leave: ValkeyScript = valkeyScript(`${prelude}
local me = ARGV[3]
local own = holderOf(me)
if not own or own.left == 1 then return 0 end
own.left = 1
keepHolder(me, own)
for _, name in ipairs(redis.call('SMEMBERS', named(me))) do
  local text = redis.call('HGET', resource(name), me)
  if isRate(name) then
    redis.call('HDEL', resource(name), me)
    redis.call('SREM', named(me), name)
  elseif text then
    local used, open = struct.unpack('dddd', text)
    redis.call('HSET', resource(name), me, struct.pack('dddd', used, open, 0, 0))
  end
end
return 1
`);

const goneAnsweredMax = 100;

/** Per holder: number, resolved minutes, when it was last heard. */
export const gone: ValkeyScript = valkeyScript(`${prelude}
local found = {}
for number, one in pairs(holders()) do
  if one.left == 1 or now - one.last >= ${goneMs} then
    one.number = tonumber(number)
    found[#found + 1] = one
  end
end
table.sort(found, function(a, b)
  if a.last == b.last then return a.number < b.number end
  return a.last < b.last
end)
local answer = {}
for index = 1, math.min(#found, ${goneAnsweredMax}) do
  local one = found[index]
  for _, value in ipairs({ one.number, one.ad, one.offer, one.last }) do answer[#answer + 1] = value end
end
return answer
`);

/** Arguments: the holder, and what was billed as JSON: kind and ID, day, impressions, nano-USD. */
export const settle: ValkeyScript = valkeyScript(`${prelude}
local me = ARGV[3]
local own = holderOf(me)
if not own or not (own.left == 1 or now - own.last >= ${goneMs}) then return 0 end
local billed = {}
local add = function(name, value) billed[name] = (billed[name] or 0) + value end
for _, row in ipairs(cjson.decode(ARGV[4])) do
  local object, day, impressions, nanos = unpack(row)
  add(object .. ':impressions:' .. whole(day), impressions)
  add(object .. ':amount:' .. whole(day), nanos)
  add(object .. ':total:0', nanos)
end
for _, name in ipairs(redis.call('SMEMBERS', named(me))) do
  local text = redis.call('HGET', resource(name), me)
  if text then
    local used, open, unused = struct.unpack('dddd', text)
    local measure = string.match(name, ':(%a+):%d+$')
    local counted = used + unused
    if measure == 'rate' then counted = 0
    elseif measure == 'requests' or measure == 'bids' then
      if own.left == 1 then counted = used end
    else counted = math.min(used - open + (billed[name] or 0), counted) end
    local before = tonumber(redis.call('HGET', resource(name), 'b') or 0)
    redis.call('HSET', resource(name), 'b', whole(before + counted))
    redis.call('HDEL', resource(name), me)
  end
end
redis.call('DEL', named(me))
redis.call('HDEL', registry, me)
return 1
`);

/** Arguments: the first day to keep. */
export const forget: ValkeyScript = valkeyScript(`${prelude}
local first = tonumber(ARGV[3])
for _, day in ipairs(redis.call('SMEMBERS', prefix .. 'days')) do
  if tonumber(day) < first then
    for _, name in ipairs(redis.call('SMEMBERS', prefix .. 'day:' .. day)) do
      for _, field in ipairs(redis.call('HKEYS', resource(name))) do
        if field ~= 'b' then redis.call('SREM', named(field), name) end
      end
      redis.call('DEL', resource(name))
    end
    redis.call('DEL', prefix .. 'day:' .. day)
    redis.call('SREM', prefix .. 'days', day)
  end
end
return 1
`);
