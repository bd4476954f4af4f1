import { contestedMs, goneMs, leaseMs, safeRateMs } from '../../leases/authority.ts';
import { placesEnd, placesOfShard, shards } from '../../leases/parts.ts';

/** Numbers begin with seconds since 2026, so that none is reused if the last one is forgotten. */
const firstSecond = Date.UTC(2026) / 1000;
/** From then on (2060) they only count up. */
const secondsMax = 2 ** 30;
/** Advisory lock, "LIMI" in ASCII: parts share it, all other changes hold it alone, as programs before parts do. */
const lock = 0x4c_49_4d_49;

/** The tests' time, else the database's: processes' clocks differ. */
const clock = (place: number) =>
  `coalesce($${place}::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`;

/**
 * Plans must not depend on earlier contents, and answers must be able to rely on the commit. Whoever waits for a lock
 * gives up soon: other parts of its round are due.
 */
export const begin = `begin; set local synchronous_commit = on; set local enable_seqscan = off; set local jit = off;
  set local statement_timeout = '5s'; set local lock_timeout = '2s'`;

/** Sends a part to the server, before it waits for locks. Its rows are found by index, however many others there are. */
export const bring = `select set_config('bourse.report', $1, true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true)`;

/** Changes are short, because all is at the server by then. */
export const wait = `select pg_advisory_xact_lock(${lock})`;

/** Of shards in ascending order, so that no two wait for each other; and last the one that all need. */
export const waitForShards = `select pg_advisory_xact_lock(${lock}, shard) from unnest($1::integer[]) as shard`;
export const share = `select pg_advisory_xact_lock_shared(${lock})`;

/**
 * Begins an epoch if the server changed: promoted (a new timeline), or tables restored (PostgreSQL, "System Information
 * Functions"). The control file shows a new timeline only after a checkpoint.
 */
export const notice = `
  update limit_state set server = here.server, epoch = epoch + 1, since = here.now,
    quiet_until = case
      when limit_state.server = '' or exists (select from limit_holder where has_left = 0) then quiet_until
      else here.now + ${leaseMs} end
  from (
    select ${clock(1)} as now, concat_ws(' ',
      (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 'limit_state'::regclass::oid) as server
  ) here where id = 1 and limit_state.server <> here.server`;

export const join = `
  with numbered as (
    update limit_state set last_holder = greatest(
      last_holder + 1, least(${secondsMax}, ${clock(1)} / 1000 - ${firstSecond}))
    where id = 1 returning last_holder, epoch
  )
  insert into limit_holder (id, turn, ad_resolved, offer_resolved, last, has_left, epoch)
  select last_holder, -1, 0, 0, ${clock(1)}, 0, epoch from numbered returning id`;

const recalledMax = 1000;

const columns = [
  'kind',
  'id',
  'measure',
  'day',
  'line',
  'before',
  'counted',
  'unlimited',
  'used',
  'open',
  'unused',
  'wanted',
];
const arrays = columns.map((_, index) => `('{' || lists[${index + 1}] || '}')::bigint[]`);

/** As the index `limit_resource_place` has it. */
const place = `((r.object_id % ${shards}) * ${placesOfShard} + r.object_id)`;

/** Of a rate, nothing of whoever was silent for long. */
const ofOthers = `holder <> $1 and not (said.measure = 'rate' and holder = any (silent_long))`;

/** The part's limits, with what was known. Empty if the part does not count. */
const known = `
  me as materialized (select * from limit_holder where id = $1::integer and has_left = 0),
  counting as materialized (select from me where turn < $2::bigint),
  said as materialized (
    select ($3::text[])[kind] as kind, id::integer as object_id, ($4::text[])[measure] as measure,
      day::integer as day, line, before, counted, unlimited, used, open, unused, wanted, place
    from counting, (select string_to_array(current_setting('bourse.report'), ';') as lists) brought,
      unnest(${arrays.join(', ')}) with ordinality as one(${columns.join(', ')}, place)
  ),
  here as materialized (
    select now, epoch, since, quiet_until, concat_ws(' ', epoch, since, server) as name,
      $9::bigint = ${placesEnd} and ($8::bigint = 0 or $10::text = concat_ws(' ', epoch, since, server)) as is_whole,
      coalesce((select array_agg(id) from limit_holder where last <= now - ${leaseMs}), '{}') as silent,
      coalesce((select array_agg(id) from limit_holder where last <= now - ${safeRateMs}), '{}') as silent_long
    from (select ${clock(5)} as now) clock, limit_state where id = 1
  ),
  known as materialized (
    select said.*, coalesce(r.id, nextval(pg_get_serial_sequence('limit_resource', 'id'))) as resource,
      r.before as before_known, r.id is not null or said.counted is not null as is_known,
      -- Of what is counted, what all have used and not only reserved is known already.
      greatest(said.before, r.before,
        case when r.id is null or said.unlimited > 0
          then said.counted - coalesce(others_counted, 0) - said.used + said.open end) as level,
      coalesce(held, 0) as held, coalesce(others_used, 0) as others_used,
      coalesce(is_contested, false) as is_contested, own_used, own_open, own_unused, own_short_at
    from here cross join said
    left join limit_resource r
      on r.kind = said.kind and r.object_id = said.object_id and r.measure = said.measure and r.day = said.day
    left join lateral (
      select (sum(h.used + case when said.measure = 'rate' and holder = any (silent) then 0 else h.unused end)
          filter (where ${ofOthers}))::bigint as held,
        (sum(h.used) filter (where ${ofOthers}))::bigint as others_used,
        (sum(h.used - h.open) filter (where ${ofOthers}))::bigint as others_counted,
        bool_or(short_at > now - ${contestedMs}) filter (where holder <> $1) as is_contested,
        max(h.used) filter (where holder = $1) as own_used, max(h.open) filter (where holder = $1) as own_open,
        max(h.unused) filter (where holder = $1) as own_unused,
        max(short_at) filter (where holder = $1) as own_short_at
      from limit_holding h where h.resource = r.id
    ) holdings on true
  )`;

/** Nothing while something may have been forgotten. */
const granted = `
  quiet as materialized (
    select here.quiet_until > now or exists (
      select from limit_holder h where has_left = 0 and h.epoch <> here.epoch
        and case when h.id = $1 then is_whole is not true else now - greatest(last, since) < ${leaseMs} end
    ) as is_quiet from here
  ),
  share as materialized (
    select known.*, line - level - held - used - unused as free,
      case when is_quiet or not is_known then 0
        else greatest(0, least(wanted, line - level - held - used - unused)) end as granted
    from known, quiet
  ),
  granted as materialized (
    select share.*, unused + granted as holds, case when is_known and granted < wanted then now end as short from share, here
  )`;

/** What others lack, and this holder has and leaves out. */
const recalled = `
  recalled as (
    select distinct r.kind, r.object_id
    from limit_holding mine join limit_resource r on r.id = mine.resource, here
    where mine.holder + 0 = $1 and mine.unused > 0 and mine.resource = any (array(
        select other.resource from limit_holding other, here
        where other.short_at > now - ${contestedMs} and other.holder <> $1 limit ${recalledMax}
      ))
      and mine.resource not in (select resource from granted)
      and ($8::bigint is null or ${place} < $8::bigint or ${place} >= $9::bigint)
      and not (r.measure = 'rate' and $1 = any (silent))
  )`;

/**
 * Only this holder's rows, and only in ways that free, but for the part's own resources. Conflicts find rows by index,
 * while a join would read all of the holder's rows for each row, where the planner has not heard yet how many there are.
 */
const written = `
  changed_resource as (
    insert into limit_resource (id, kind, object_id, measure, day, before)
    select resource, kind, object_id, measure, day, level from granted
    where is_known and (before_known is null or level > before_known)
    on conflict (id) do update set before = excluded.before
  ),
  changed as (
    insert into limit_holding (resource, holder, used, open, unused, short_at)
    select resource, $1, used, open, holds, short from granted
    where is_known and (own_used, own_open, own_unused, own_short_at) is distinct from (used, open, holds, short)
      and (own_used is not null or used > 0 or holds > 0 or short is not null)
    on conflict (resource, holder) do update set used = excluded.used, open = excluded.open,
      unused = excluded.unused, short_at = excluded.short_at
  ),
  -- Without the index by holder, whose rows are all of its parts'.
  dropped as (
    delete from limit_holding h using counting
    where h.holder + 0 = $1 and h.resource = any (array(
      select id from limit_resource r where ${place} >= $8::bigint and ${place} < $9::bigint
        and id not in (select resource from granted)
    ))
  ),
  ended_rates as (
    update limit_holding h set unused = 0, short_at = null,
      used = case when $1 = any (array(select unnest(silent_long) from here)) then 0 else h.used end,
      open = case when $1 = any (array(select unnest(silent_long) from here)) then 0 else h.open end
    from limit_resource r
    where h.holder = (select $1 from counting, here where $1 = any (silent))
      and r.id = h.resource and r.measure = 'rate' and h.resource not in (select resource from granted)
      and not (${place} >= coalesce($8::bigint, 0) and ${place} < coalesce($9::bigint, 0))
  ),
  heard as (
    update limit_holder h set turn = greatest(turn, $2), ad_resolved = greatest(ad_resolved, $6::bigint),
      offer_resolved = greatest(offer_resolved, $7::bigint), last = greatest(last, now),
      epoch = case when is_whole then here.epoch else h.epoch end
    from counting, here where h.id = $1
  )`;

/**
 * Arguments: holder, turn, names of kinds and measures, time, `resolved` of ads and offers, of which places it is whole
 * (none: null), and the epoch of the whole parts before.
 */
export const report = `
  with ${known}, ${granted}, ${recalled}, ${written}
  select exists (select from me) as "isKnown", exists (select from counting) as "counts",
    (select is_whole is not true and me.epoch <> here.epoch from me, here) as "wantsWhole",
    (select name from here) as epoch,
    (select count(*)::integer from limit_holder, here where has_left = 0 and (id = $1 or id <> all (silent))) as holders,
    (select string_agg(kind || ':' || object_id, ',' order by (kind || ':' || object_id) collate "C") from recalled) as recalled,
    string_agg(granted::text, ',' order by place) as granted,
    string_agg((case when is_known then greatest(0, -free) else 0 end)::text, ',' order by place) as excess,
    string_agg(level::text, ',' order by place) as before,
    string_agg(is_contested::integer::text, ',' order by place) as contested,
    string_agg(others_used::text, ',' order by place) as others,
    string_agg(is_known::integer::text, ',' order by place) as known
  from granted`;

/** Rows that one of the following changes at once; it is repeated until it answers fewer, so that none takes long. */
export const rowsMax = 2000;

/** What `has_left` says of a holder that was silent, is being settled and must not come back. */
const wasSilent = 2;

export const leave = 'update limit_holder set has_left = 1 where id = $1 and has_left = 0';

/** Of a holder that has left. It keeps what it has used, except of rates. */
export const free = `
  with part as materialized (
    select resource, measure from limit_holding join limit_resource r on r.id = resource
    where holder = (select id from limit_holder where id = $1 and has_left = 1)
      and (measure = 'rate' or unused > 0 or short_at is not null) limit ${rowsMax}
  ),
  freed as (
    update limit_holding set unused = 0, short_at = null
    where holder + 0 = $1 and resource = any (array(select resource from part where measure <> 'rate'))
  ),
  dropped as (
    delete from limit_holding
    where holder + 0 = $1 and resource = any (array(select resource from part where measure = 'rate'))
  )
  select count(*) from part`;

const isGone = (now: string) => `(has_left > 0 or last <= ${now} - ${goneMs})`;

export const gone = `
  select id as holder, ad_resolved as ad, offer_resolved as offer, last as "lastMs" from limit_holder
  where ${isGone(clock(1))} order by last, id limit 100`;

/** Before it is settled. */
export const end = `
  update limit_holder set has_left = ${wasSilent} where id = $1 and has_left = 0 and ${isGone(clock(2))}`;

/** Given what was billed of its promises as JSON. */
export const settle = `
  with billed as materialized (
    select * from json_to_recordset($2::json) as b(kind text, id integer, day integer, impressions bigint, nanos bigint)
  ),
  of_day as (select kind, id, day, sum(impressions) as impressions, sum(nanos) as nanos from billed group by 1, 2, 3),
  of_all as (select kind, id, sum(impressions) as impressions, sum(nanos) as nanos from billed group by 1, 2),
  ended as materialized (select id, has_left from limit_holder where id = $1 and has_left > 0),
  held as (
    delete from limit_holding h using ended
    where h.holder + 0 = ended.id
      and h.resource = any (array(select resource from limit_holding where holder = $1 limit ${rowsMax}))
    returning h.resource, h.used, h.open, h.unused, has_left
  ),
  settled as (
    update limit_resource r set before = r.before + case
      when r.measure in ('requests', 'bids') then held.used + case has_left when 1 then 0 else held.unused end
      else least(held.used + held.unused, held.used - held.open + coalesce(
        case r.measure when 'impressions' then of_day.impressions when 'amount' then of_day.nanos
          when 'impressionsTotal' then of_all.impressions else of_all.nanos end, 0))
      end
    from held join limit_resource k on k.id = held.resource
      left join of_day on of_day.kind = k.kind and of_day.id = k.object_id and of_day.day = k.day
      left join of_all on of_all.kind = k.kind and of_all.id = k.object_id
    where r.id = held.resource and r.measure <> 'rate'
  ),
  forgotten as (
    delete from limit_holder h using ended where h.id = ended.id and (select count(*) from held) < ${rowsMax}
  )
  select count(*) from held`;

/** Resources of earlier days. */
export const forget = `
  with old as (
    delete from limit_resource where id = any (array(
      select id from limit_resource where day > 0 and day < $1 limit ${rowsMax}
    )) returning id
  ),
  dropped as (delete from limit_holding where resource = any (array(select id from old)))
  select count(*) from old`;
