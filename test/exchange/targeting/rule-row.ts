import type { DemandKindName, SupplyKind } from '../../../src/entities/kinds.ts';
import type { Refusal } from '../../../src/exchange/reasons.ts';
import type { opportunityWith } from '../unrestricted.ts';

type Values = Parameters<typeof opportunityWith>[0];
/** An object, what it meets, and the refusal that must come of it; undefined: none. */
export type Row = readonly [
  what: string,
  object: readonly [entity: SupplyKind | DemandKindName, values: Readonly<Record<string, unknown>>],
  opportunity: Values,
  refusal: Refusal | undefined,
];

/** A supply chain of so many nodes. */
export const chain = (complete: 0 | 1, count: number, hasOwnNode = false) => ({
  complete,
  hasOwnNode,
  nodes: Array.from({ length: count }, () => ({ asi: 'ssp.test', sid: '1', hp: 1 as const })),
});

export const refused = (
  reason: Refusal['reason'],
  field: string,
  wanted: unknown,
  met: unknown,
): Refusal => ({
  reason,
  field,
  wanted,
  met,
});
