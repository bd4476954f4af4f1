import { type FloorKind, roleOf, type SettingsOf, supplyKindNames } from '../../entities/kinds.ts';
import { floorInForce } from '../../reference/floor-in-force.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { FloorObject } from '../configuration.ts';
import { plainObject } from './packed-object.ts';

export interface FloorRule {
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly settings: SettingsOf<FloorKind>;
  /** In its currency. */
  readonly floorCpm: number;
  readonly object: FloorObject;
  /** Another for each change of a rule. */
  readonly version: number;
  /** The supply objects and publishers whose floors it sets, as `VastTag:1`; empty: all supply of the team. */
  readonly owners: readonly string[];
  /** The DSP RTB EPs whose bids it is for; undefined = all bids. */
  readonly bidders: ReadonlySet<number> | undefined;
}

const ownerFields: readonly (readonly [kind: string, field: string])[] = [
  ...supplyKindNames.map((kind) => [kind, roleOf(kind).plural] as const),
  ['Publisher', 'Publishers'],
];

let versions = 0;

/** Rules are few: their values are decoded at once, and stay. */
export function compiledFloorRule(packed: FloorObject): FloorRule {
  const object = plainObject(packed);
  const { id, teamId, status, settings, connections } = object;
  const listed = (field: string) => ownMember(connections, field) ?? [];
  const bidders = listed('DspRtbEps');
  versions += 1;
  return {
    id,
    teamId,
    isActive: status === 0,
    settings,
    floorCpm: floorInForce(settings),
    object,
    version: versions,
    owners: ownerFields.flatMap(([kind, field]) => listed(field).map((owner) => `${kind}:${owner}`)),
    bidders: bidders.length === 0 ? undefined : new Set(bidders),
  };
}
