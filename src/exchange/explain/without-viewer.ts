import { disclosed } from '../../protocols/openrtb/object-of.ts';
import { bidRequest } from '../../protocols/openrtb/objects/request.ts';
import { xmlText } from '../../protocols/vast/xml-values.ts';
import { activityNames } from '../../reference/activities.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';

/** Shorter ones are in any text, and tell of nobody. */
const charactersMin = 4;
const valuesMax = 2000;
const telling: ReadonlySet<string> = new Set(activityNames);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Of the members of a bid request that tell of the viewer, at all depths. */
function textsOfMembers({ original }: Opportunity): readonly string[] {
  const texts: string[] = [];
  if (original === undefined) return texts;
  disclosed(bidRequest, original.request, (use, _, value) => {
    if (!telling.has(use)) return value;
    texts.push(...textsIn(value));
    return undefined;
  });
  const { page, ref, search } = original.request.site ?? {};
  return [...texts, ...textsIn([page, ref, search])];
}

function textsOf(opportunity: Opportunity, demand: Demand): readonly string[] {
  const { ip, device, userId, userAgent, inventory, query, latitude, longitude, privacy } = opportunity;
  const own = [ip?.text, device.ifa, userId, userAgent, inventory.pageUrl, query, latitude, longitude];
  const signals = [privacy?.consent, privacy?.gpp, privacy?.usPrivacy];
  const ids = Object.values(opportunity.viewerIdsOf?.(demand) ?? {});
  return textsIn([...own, ...ids, ...signals, ...textsOfMembers(opportunity)]);
}

const formsOf = (text: string) => [
  text,
  encodeURIComponent(text.toWellFormed()),
  JSON.stringify(text).slice(1, -1),
  xmlText(text),
];

/** For texts of `demand`, who may repeat what it was told: `…` in place of what tells of the viewer. */
export function withoutViewer(text: string, opportunity: Opportunity, demand: Demand): string {
  const long = textsOf(opportunity, demand).filter(({ length }) => length >= charactersMin);
  const forms = new Set(long.slice(0, valuesMax).flatMap(formsOf));
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((rest, form) => rest.replaceAll(form, '…'), text);
}

/** As `withoutViewer`, of what was met. */
export function refusalWithoutViewer(refusal: Refusal, opportunity: Opportunity, demand: Demand): Refusal {
  const { met } = refusal;
  return typeof met === 'string' ? { ...refusal, met: withoutViewer(met, opportunity, demand) } : refusal;
}
