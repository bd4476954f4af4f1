import { type DemandKindName, demandKindNames, supplyKindNames } from '../../../entities/kinds.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { privacyUrlMacros } from '../../demand/privacy-values.ts';
import { urlTemplate } from '../../demand/url-template.ts';
import { memoizeWeak } from '../../memoize-weak.ts';
import type { Privacy } from '../../opportunity.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import { isRefusal } from '../../reasons.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';

/** An active one of any kind, by `zone` or `feed`, and `auth`. */
export function supplyOf(query: ZoneQuery, { snapshot, services }: DeliveryContext): Supply | undefined {
  const [id, auth] = [query.text('zone') || query.text('feed'), query.text('auth')];
  for (const kind of supplyKindNames) {
    const found = authenticate(snapshot(), { kind, id, auth }, services.now());
    if (!isRefusal(found)) return found;
  }
  return undefined;
}

/** What partners are called at the endpoints, as `DspRtbEp-12`. */
export const codeOf = ({ kind, id }: Pick<Demand, 'kind' | 'id'>): string => `${kind}-${id}`;

const codePattern = /^([A-Za-z]{1,32})-([1-9]\d{0,9})$/;
const isDemandKind = (kind: string): kind is DemandKindName => demandKindNames.some((one) => one === kind);

/** An active object with user sync, by its code. */
export function partnerNamed(code: string, snapshot: Snapshot): Demand | undefined {
  const [, kind = '', id = ''] = codePattern.exec(code) ?? [];
  const demand = isDemandKind(kind) ? snapshot.demand(kind, Number(id)) : undefined;
  return demand?.partner ? demand : undefined;
}

/** Of its active demand, one object for each partner. */
export const partnersOf = memoizeWeak((supply: Supply): readonly Demand[] => {
  const partners = new Map<string, Demand>();
  for (const demand of supply.candidates.connected)
    if (demand.partner !== '' && !partners.has(demand.partner)) partners.set(demand.partner, demand);
  return [...partners.values()];
});

const frame = 2;
/** As Prebid names them. */
export const syncTypeOf = ({ settings }: Demand): 'iframe' | 'redirect' =>
  settings.SyncType === frame ? 'iframe' : 'redirect';

/** Where the partner sends its ID: it is added to the end. */
function setuidUrl(demand: Demand, privacy: Privacy, baseUrl: string): string {
  const f = syncTypeOf(demand) === 'iframe' ? 'b' : 'i';
  const query = new URLSearchParams({ bidder: codeOf(demand), f });
  for (const [name, read] of Object.entries(privacyUrlMacros)) {
    const value = read({ opportunity: { privacy } });
    if (value !== '') query.set(name, value);
  }
  return `${baseUrl}/setuid?${query}&uid=`;
}

interface Asked {
  readonly opportunity: { readonly privacy: Privacy };
  readonly redirectUrl: string;
}

const macros = { ...privacyUrlMacros, redirect_url: ({ redirectUrl }: Asked) => redirectUrl };

/** The partner's `SyncUrl`, filled. */
export function syncUrlOf(demand: Demand, privacy: Privacy, baseUrl: string): string {
  const redirectUrl = setuidUrl(demand, privacy, baseUrl);
  return urlTemplate(
    demand,
    demand.settings.SyncUrl ?? '',
    macros,
  )({ opportunity: { privacy }, redirectUrl });
}

/** In random order, so that all have their turn where only some fit. */
export function shuffled(demands: readonly Demand[], random: () => number): Demand[] {
  const drawn = demands.map((demand) => ({ demand, at: random() }));
  return drawn.toSorted((one, other) => one.at - other.at).map(({ demand }) => demand);
}
