import type { Bid } from '../../demand/demand-kind.ts';
import type { Opportunity } from '../../opportunity.ts';
import { type Refusal, refuse } from '../../reasons.ts';

/** `regs.ext.dsa` and the bid's `ext.dsa` (OpenRTB extension "DSA Transparency"). */
type Members = Readonly<Record<string, unknown>>;

const charactersMax = 100;
/** `dsarequired`: 2 = bids without it are not accepted; 3 = the same, of a very large online platform. */
const isRequired = ({ dsarequired }: Members) => dsarequired === 2 || dsarequired === 3;

/** By `pubrender`, which `adrender` nobody or both would render by. */
const conflicts: ReadonlyMap<unknown, unknown> = new Map([
  [0, 0],
  [2, 1],
]);

const lengthOf = (value: unknown) => (typeof value === 'string' ? [...value].length : 0);

function invalid(asked: Members, said: Members): Refusal | undefined {
  const { adrender, behalf, paid } = said;
  for (const [field, text] of [
    ['dsa.behalf', behalf],
    ['dsa.paid', paid],
  ] as const) {
    const met = lengthOf(text);
    if (met > charactersMax)
      return refuse('dsa_invalid', { field, wanted: `at most ${charactersMax} characters`, met });
  }
  const { pubrender } = asked;
  if (!conflicts.has(pubrender) || conflicts.get(pubrender) !== adrender) return undefined;
  const wanted = `not ${adrender} where pubrender is ${pubrender}`;
  return refuse('dsa_invalid', { field: 'dsa.adrender', wanted, met: adrender });
}

/** Transparency, where the request requires it. */
export function dsa({ received }: Bid, { original }: Opportunity): Refusal | undefined {
  const asked = original?.request.regs?.ext?.dsa;
  if (asked === undefined || !isRequired(asked)) return undefined;
  const said = received?.ext?.dsa;
  return said === undefined
    ? refuse('dsa_missing', { field: 'dsa', wanted: `ext.dsa, by dsarequired ${asked.dsarequired}` })
    : invalid(asked, said);
}
