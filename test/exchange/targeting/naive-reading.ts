import type { ConfigurationObject } from '../../../src/exchange/configuration.ts';
import type { IpAddress, Opportunity, Software } from '../../../src/exchange/opportunity.ts';
import type { ListSample } from './samples.ts';

/**
 * The naive reading of delivery.md "Targeting": documents and texts against one opportunity, field by field, with no
 * look at how the exchange does it. Answers the field that refuses, or undefined.
 */
export function naiveRefusal(
  { entity, document, connections, teamId }: ConfigurationObject,
  opportunity: Opportunity,
  lists: readonly ListSample[],
): string | undefined {
  const number = (field: string) => document[field] as number | undefined;
  const has = (field: string) => document[field] !== undefined;
  const { inventory, device, ip, supplyChain } = opportunity;

  const emptyOrAny = (field: string, fits: (item: never) => boolean) => {
    const wanted = (document[field] ?? []) as never[];
    return wanted.length === 0 || wanted.some(fits);
  };
  const byMode = (isWhitelist: boolean, entries: readonly string[], met: string) => {
    if (entries.length === 0) return true;
    return isWhitelist ? met !== '' && entries.includes(met) : met === '' || !entries.includes(met);
  };
  const lines = (field: string) =>
    String(document[field] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);

  const listed = (kind: string, field: string, modeField: string, met: string | undefined, holds: Holds) => {
    const serving = lists.filter((list) => list.kind === kind && list.isActive !== false);
    const own = connections[field] ?? [];
    const isIn = (id: number) =>
      serving.some((list) => list.id === id && list.lines.some((line) => holds(line)));
    const globals = serving
      .filter((list) => list.isGlobal && (list.teamId ?? 1) === teamId)
      .map(({ id }) => id);
    const isWhitelist = number(modeField) === 1 && own.length > 0;
    if (met === undefined) return !isWhitelist;
    if (globals.some(isIn)) return false;
    return isWhitelist ? own.some(isIn) : !own.some(isIn);
  };

  const media = {
    Campaign: () => ['', 'video', 'banner', 'pop'][number('Type') ?? 0] === opportunity.media,
    DspVastTag: () => opportunity.media === 'video',
    DspPopFeed: () => opportunity.media === 'pop',
    DspRtbEp: () =>
      number(`${opportunity.media[0]?.toUpperCase()}${opportunity.media.slice(1)}Enabled`) === 1,
  }[entity];
  const day = new Date(opportunity.timeMs).toISOString().slice(0, 10);
  const floor = opportunity.floorCpmMicros / 1e6;
  const limit = (field: string) => number(field) || Number.POSITIVE_INFINITY;
  const requested =
    opportunity.width && opportunity.height ? `${opportunity.width}x${opportunity.height}` : '';

  const rules: readonly (readonly [field: string, isAdmitted: boolean])[] = [
    ['media', media?.() ?? true],
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
    ['SizesList', byMode(number('SizesListMode') === 1, (document.SizesList ?? []) as string[], requested)],
    ['PubIdList', byMode(number('PubIdListMode') === 1, lines('PubIdList'), opportunity.sellerId)],
    ['AllowIpV6', number('AllowIpV6') !== 0 || ip?.version !== 6],
    ['StartDate', !document.StartDate || day >= String(document.StartDate)],
    ['EndDate', !document.EndDate || day <= String(document.EndDate)],
    ['MaxBidfloor', floor <= limit('MaxBidfloor')],
    ['MinTmax', opportunity.tmaxMs >= (number('MinTmax') ?? 0)],
    [
      'DomainsBrandsList',
      listed(
        'DomainList',
        'DomainsBrandsList',
        'DomainsBrandsListMode',
        inventory.domain || undefined,
        (line) => `.${inventory.domain}`.endsWith(`.${line}`),
      ),
    ],
    [
      'AppsList',
      listed(
        'AppList',
        'AppsList',
        'AppsListMode',
        inventory.appBundle || undefined,
        (line) => line === inventory.appBundle,
      ),
    ],
    [
      'IpBlacklists',
      listed('IpList', 'IpBlacklists', '', ip?.text, (line) => ip !== undefined && holdsIp(line, ip)),
    ],
    ['MaxIvt', (opportunity.invalidTrafficPercent ?? 0) <= limit('MaxIvt')],
    ['MaxSchainNodes', (supplyChain?.nodes.length ?? 0) <= limit('MaxSchainNodes')],
    [
      'CompleteSchain',
      !has('CompleteSchain') || number('CompleteSchain') === 0 || supplyChain?.complete === 1,
    ],
  ];
  return rules.find(([, isAdmitted]) => !isAdmitted)?.[0];
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
