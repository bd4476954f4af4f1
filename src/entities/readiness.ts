import type { Place } from '../fields/field.ts';
import { endsBefore } from '../fields/time-order.ts';
import { weekHoursText } from '../reference/week-hours.ts';
import type { Entity } from './entity.ts';
import { needs, type SettingWarning } from './setting-warning.ts';

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

/** As fields have times: in seconds. */
const timeOf = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;

const ends = ['EndDate', 'EndTime'] as const;

function ofDates({ fields }: Entity): SettingWarning[] {
  return ends
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({
      field,
      isBlocking: true,
      when: ({ TimeZone, ...values }, { nowMs }) =>
        endsBefore(String(values[field] ?? ''), timeOf(nowMs), String(TimeZone || 'UTC')),
      message: 'is past: it takes part in no auction any more; set a later one, or none',
    }));
}

function ofHours({ fields }: Entity): SettingWarning[] {
  if (!Object.hasOwn(fields, 'Hours')) return [];
  const message = 'is closed in every hour, so it never serves; open an hour, or clear it for always';
  const when: SettingWarning['when'] = ({ Hours }) =>
    Hours !== '' && weekHoursText(String(Hours)) === 'never';
  return [{ field: 'Hours', isBlocking: true, when, message }];
}

/** What every entity that takes part in auctions can't do without. */
export function readiness(entity: Entity): readonly SettingWarning[] {
  const side = entity.exchange?.side ?? 'list';
  if (side === 'list' || side === 'account') return [];
  return [
    ...ofOwner(entity),
    ...ofConnections(entity),
    ...ofTraffic(entity),
    ...ofDates(entity),
    ...ofHours(entity),
  ];
}
