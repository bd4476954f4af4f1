import type { Place } from '../fields/field.ts';
import { endsBefore } from '../fields/time-order.ts';
import type { Entity } from './entity.ts';
import { needs, type SettingWarning } from './setting-warning.ts';

const dayMs = 86_400_000;

function ofOwner({ owner }: Entity): SettingWarning[] {
  if (!owner) return [];
  return [
    {
      field: owner.field,
      isBlocking: true,
      when: () => true,
      whenOwner: ({ isActive }) => !isActive,
      message: `is inactive, so nothing of theirs takes part in auctions; activate the ${owner.entity.toLowerCase()}`,
    },
  ];
}

/** Of the connections between supply and demand. */
function ofConnections({ exchange, fields }: Entity): SettingWarning[] {
  const isPair = (place: Place) => place.kind === 'connection' && place.mirror !== undefined;
  const [field] = Object.entries(fields).flatMap(([name, { place }]) => (isPair(place) ? [name] : []));
  if (field === undefined) return [];
  const other = exchange?.side === 'supply' ? 'demand' : 'supply';
  const connected = { field, isBlocking: true, when: () => true } as const;
  return [
    {
      ...connected,
      whenConnected: () => false,
      orNone: true,
      message: `is empty, like every other connection, so it takes part in no auction; connect ${other}`,
    },
    {
      ...connected,
      whenConnected: ({ isActive }) => !isActive,
      message: `names nothing active, like every other connection, so it takes part in no auction; activate or connect ${other}`,
    },
  ];
}

function ofTraffic({ fields }: Entity): SettingWarning[] {
  if (!('WebEnabled' in fields && 'AppEnabled' in fields)) return [];
  const message = 'is 0, and so is AppEnabled: every request is refused; allow websites, apps or both';
  return [needs(['WebEnabled', 'AppEnabled'], message)];
}

const isPast: Readonly<Record<string, SettingWarning['when']>> = {
  EndDate: ({ EndDate }, { nowMs }) => Date.parse(`${EndDate}T00:00:00Z`) + dayMs <= nowMs,
  EndTime: ({ EndTime, TimeZone }, { nowMs }) =>
    endsBefore(String(EndTime ?? ''), new Date(nowMs).toISOString(), String(TimeZone || 'UTC')),
};

function ofDates({ fields }: Entity): SettingWarning[] {
  return Object.entries(isPast)
    .filter(([field]) => Object.hasOwn(fields, field))
    .map(([field, when]) => ({
      field,
      isBlocking: true,
      when,
      message: 'is past: it takes part in no auction any more; set a later one, or none',
    }));
}

/** What every entity that takes part in auctions can't do without. */
export function readiness(entity: Entity): readonly SettingWarning[] {
  const side = entity.exchange?.side ?? 'list';
  if (side === 'list' || side === 'account') return [];
  return [...ofOwner(entity), ...ofConnections(entity), ...ofTraffic(entity), ...ofDates(entity)];
}
