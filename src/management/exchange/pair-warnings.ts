import type { Entity } from '../../entities/entity.ts';
import { settingsFiller } from '../../entities/filled-settings.ts';
import { isSupply } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { TeamReads, Values, WholeDocument } from '../../store/interface.ts';
import { type ConnectedIds, connectedIds, pairFields } from '../pair-fields.ts';

/** An ID of 0: not added yet. */
type PairObject = Omit<WholeDocument, 'teamId'>;

/** With the supply object's publisher. */
export interface Pair {
  readonly supply: PairObject;
  readonly demand: PairObject;
  readonly publisher: WholeDocument;
}

/** Ready to be sent; undefined if the pair may match. */
export type PairJudge = (pair: Pair) => object | undefined;

type Documents = Pick<TeamReads, 'documents'>;

/** With connected IDs by field; without an ID before it is added. */
export interface WrittenObject {
  readonly id?: number;
  readonly document: Values;
  readonly connections: Values;
}

/** Per answer. */
const warningsMax = 100;

/** Only then can answers warn. */
export function hasPairs(entity: Entity): boolean {
  return pairFields(entity).length > 0;
}

async function publishersOf(reads: Documents, supplies: readonly (number | undefined)[]) {
  const ids = [...new Set(supplies)].filter((id) => id !== undefined);
  const found = await reads.documents(entityOf('Publisher'), ids);
  return new Map(found.map((one) => [one.id, one]));
}

async function pairsOf(reads: Documents, own: PairObject, others: readonly WholeDocument[]) {
  const isOfSupply = isSupply(own.entity);
  const owners = isOfSupply ? [own.ownerId] : others.map(({ ownerId }) => ownerId);
  const publishers = await publishersOf(reads, owners);
  return others.flatMap((other) => {
    const [supply, demand] = isOfSupply ? [own, other] : [other, own];
    const owner = publishers.get(supply.ownerId ?? 0);
    return owner ? [{ other, pair: { supply, demand, publisher: owner } }] : [];
  });
}

/** By ID; those that may match are left out. */
export async function neverMatching(
  reads: Documents,
  judge: PairJudge,
  own: PairObject,
  { to, ids }: ConnectedIds,
): Promise<ReadonlyMap<number, { readonly other: WholeDocument; readonly why: object }>> {
  const pairs = await pairsOf(reads, own, await reads.documents(to, ids));
  return new Map(
    pairs.flatMap(({ other, pair }) => {
      const why = judge(pair);
      return why ? [[other.id, { other, why }]] : [];
    }),
  );
}

export function connectedCount(entity: Entity, connections: Values): number {
  return connectedIds(pairFields(entity), connections).reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Of the first thousand connected objects, those that it never meets. */
export function compilePairWarnings(entity: Entity, judge: PairJudge) {
  const fields = pairFields(entity);
  const fill = settingsFiller(entity);
  const ownerField = entity.owner?.field ?? '';
  const find = async (
    reads: Documents,
    { id = 0, document }: WrittenObject,
    named: readonly ConnectedIds[],
  ) => {
    const ownerId = Number(ownMember(document, ownerField));
    const own = { entity: entity.key, id, ownerId, status: 0, document: fill(document) };
    const warnings: object[] = [];
    for (const connected of named) {
      for (const { other, why } of (await neverMatching(reads, judge, own, connected)).values()) {
        warnings.push({ Entity: connected.to.key, Id: other.id, Name: other.document.Name, ...why });
      }
    }
    return warnings.slice(0, warningsMax);
  };
  return (reads: Documents, written: WrittenObject): Promise<object[]> | undefined => {
    const named = connectedIds(fields, written.connections);
    return named.length > 0 ? find(reads, written, named) : undefined;
  };
}
