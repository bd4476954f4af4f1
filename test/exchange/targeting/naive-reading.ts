import type { DemandObject } from '../../../src/exchange/configuration.ts';
import type { IpAddress, Opportunity, Software } from '../../../src/exchange/opportunity.ts';
import type { ListSample } from './samples.ts';

/** A field and whether it lets the opportunity pass. */
type Reading = readonly [field: string, isAdmitted: boolean];

/**
 * The naive reading of delivery.md "Targeting": documents and texts against one opportunity, field by field, with no
 * look at how the exchange does it. Answers the field that refuses, or undefined.
 */
export function naiveRefusal(
  object: DemandObject,
  opportunity: Opportunity,
  lists: readonly ListSample[],
): string | undefined {
  const readings = [
    ...trafficReadings(object, opportunity),
    ...numberReadings(object, opportunity),
    ...listReadings(object, opportunity, lists),
  ];
  return readings.find(([, isAdmitted]) => !isAdmitted)?.[0];
}

function numbersOf({ settings }: DemandObject) {
  const stored: Readonly<Record<string, unknown>> = settings;
  return (field: string) => stored[field] as number | undefined;
}

function isMedia(object: DemandObject, { media }: Opportunity): boolean {
  const number = numbersOf(object);
  if (object.entity === 'Campaign') return ['', 'video', 'banner', 'pop'][number('Type') ?? 0] === media;
  if (object.entity === 'DspVastTag') return media === 'video';
  if (object.entity === 'DspPopFeed') return media === 'pop';
  return number(`${media[0]?.toUpperCase()}${media.slice(1)}Enabled`) === 1;
}

function byMode(isWhitelist: boolean, entries: readonly string[], met: string): boolean {
  if (entries.length === 0) return true;
  return isWhitelist ? met !== '' && entries.includes(met) : met === '' || !entries.includes(met);
}

function trafficReadings(object: DemandObject, opportunity: Opportunity): Reading[] {
  const settings: Readonly<Record<string, unknown>> = object.settings;
  const number = numbersOf(object);
  const { inventory, device } = opportunity;
  const emptyOrAny = (field: string, fits: (item: never) => boolean) => {
    const wanted = (settings[field] ?? []) as never[];
    return wanted.length === 0 || wanted.some(fits);
  };
  const publishers = String(settings.PubIdList ?? '')
    .split('\n')
    .map((line) => line.trim());
  const sizes = (settings.SizesList ?? []) as string[];
  const isListed = (opportunity.sizes ?? [opportunity]).some(
    ({ width, height }) => width && height && sizes.includes(`${width}x${height}`),
  );
  return [
    ['media', isMedia(object, opportunity)],
    ['WebEnabled', !(number('WebEnabled') === 0 && inventory.environment === 'web')],
    ['AppEnabled', !(number('AppEnabled') === 0 && inventory.environment === 'app')],
    ['Countries', emptyOrAny('Countries', (code) => code === opportunity.country)],
    ['Os', emptyOrAny('Os', (item) => isOf(item, device.os))],
    ['Browsers', emptyOrAny('Browsers', (item) => isOf(item, device.browser))],
    ['DeviceTypes', emptyOrAny('DeviceTypes', (code) => device.types.includes(code))],
    [
      'IabCategories',
      emptyOrAny('IabCategories', (name) => inventory.categories.some((met) => covers(name, met))),
    ],
    ['SizesList', sizes.length === 0 || isListed === (number('SizesListMode') === 1)],
    ['PubIdList', byMode(number('PubIdListMode') === 1, publishers.filter(Boolean), opportunity.sellerId)],
    ['AllowIpV6', number('AllowIpV6') !== 0 || opportunity.ip?.version !== 6],
    ['CompleteSchain', number('CompleteSchain') !== 1 || opportunity.supplyChain?.complete === 1],
  ];
}

/** Of a zone's clock at that time: the day, and the hour of the week from Monday 00:00 on. */
function shownBy(timeZone: string, timeMs: number) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  }).formatToParts(timeMs);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].findIndex((day) =>
    part('weekday').startsWith(day),
  );
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    hour: weekday * 24 + Number(part('hour')),
  };
}

const zonesOfCountries = new Map([
  ['DE', 'Europe/Berlin'],
  ['FR', 'Europe/Paris'],
  ['LU', 'Europe/Luxembourg'],
]);

function isOpen({ settings }: DemandObject, { timeMs, utcOffsetMinutes, country }: Opportunity): boolean {
  const { Hours, HoursOf, TimeZone } = settings;
  if (!Hours) return true;
  const own = shownBy(TimeZone || 'UTC', timeMs).hour;
  if (HoursOf !== 1) return Hours[own] === '1';
  if (utcOffsetMinutes !== undefined)
    return Hours[shownBy('UTC', timeMs + utcOffsetMinutes * 60_000).hour] === '1';
  const zone = zonesOfCountries.get(country);
  return Hours[zone ? shownBy(zone, timeMs).hour : own] === '1';
}

function numberReadings(object: DemandObject, opportunity: Opportunity): Reading[] {
  const { StartDate, EndDate, TimeZone } = object.settings;
  const number = numbersOf(object);
  const { supplyChain, invalid, invalidTrafficPercent = 0 } = opportunity;
  const limit = (field: string) => number(field) || Number.POSITIVE_INFINITY;
  const { day } = shownBy(TimeZone || 'UTC', opportunity.timeMs);
  return [
    ['StartDate', !StartDate || day >= String(StartDate)],
    ['EndDate', !EndDate || day <= String(EndDate)],
    ['MaxBidfloor', opportunity.floorCpmMicros / 1e6 <= limit('MaxBidfloor')],
    ['MinTmax', opportunity.tmaxMs >= (number('MinTmax') ?? 0)],
    ['MaxIvt', (invalid ? 100 : invalidTrafficPercent) <= limit('MaxIvt')],
    ['MaxSchainNodes', (supplyChain?.nodes.length ?? 0) <= limit('MaxSchainNodes')],
    ['Hours', isOpen(object, opportunity)],
  ];
}

function listReadings(
  { settings, connections, teamId }: DemandObject,
  { inventory, ip }: Opportunity,
  lists: readonly ListSample[],
): Reading[] {
  const isAdmitted = (kind: string, field: string, met: string | undefined, holds: Holds) => {
    const serving = lists.filter((list) => list.kind === kind && list.isActive !== false);
    const own = connections[field] ?? [];
    const stored: Readonly<Record<string, unknown>> = settings;
    const isWhitelist = stored[`${field}Mode`] === 1 && own.length > 0;
    if (met === undefined) return !isWhitelist;
    const isIn = (id: number) => serving.some((list) => list.id === id && list.lines.some(holds));
    const globals = serving.filter((list) => list.isGlobal && (list.teamId ?? 1) === teamId);
    return !globals.some(({ id }) => isIn(id)) && own.some(isIn) === isWhitelist;
  };
  const domain = inventory.domain || undefined;
  const bundle = inventory.appBundle || undefined;
  return [
    [
      'DomainsBrandsList',
      isAdmitted('DomainList', 'DomainsBrandsList', domain, (line) => `.${domain}`.endsWith(`.${line}`)),
    ],
    ['AppsList', isAdmitted('AppList', 'AppsList', bundle, (line) => line === bundle)],
    [
      'IpBlacklists',
      isAdmitted('IpList', 'IpBlacklists', ip?.text, (line) => ip !== undefined && holdsIp(line, ip)),
    ],
  ];
}

type Holds = (line: string) => boolean;
type Family = { readonly Family: string; readonly Versions?: readonly { Major: string; Minor?: string }[] };

function isOf({ Family, Versions = [] }: Family, met: Software): boolean {
  if (Family !== met.family) return false;
  const fits = (wanted: string | undefined, part: string) => !wanted || wanted === part;
  return (
    Versions.length === 0 ||
    Versions.some(({ Major, Minor }) => fits(Major, met.major) && fits(Minor, met.minor))
  );
}

/** Whether a category is the wanted one or below it. */
function covers(wanted: string, met: string): boolean {
  return wanted === met || met.startsWith(`${wanted}-`);
}

function numberOf({ bytes }: Pick<IpAddress, 'bytes'>): bigint {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

/** Single addresses, and ranges written as `low-high`, of IPv4 in dots and IPv6 in eight groups. */
function holdsIp(line: string, ip: IpAddress): boolean {
  const [low = '', high = low] = line.split('-');
  if (low.includes(':') !== (ip.version === 6)) return false;
  return plainNumber(low) <= numberOf(ip) && numberOf(ip) <= plainNumber(high);
}

function plainNumber(address: string): bigint {
  const isV6 = address.includes(':');
  const parts = address.split(isV6 ? ':' : '.').map((part) => Number.parseInt(part, isV6 ? 16 : 10));
  return parts.reduce((sum, part) => sum * (isV6 ? 65_536n : 256n) + BigInt(part), 0n);
}
