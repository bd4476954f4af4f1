import { entityOf } from '../../entities/registry.ts';
import { type Fault, faultsShownMax, pathOf } from '../../fields/fault.ts';
import { ownMember } from '../../reference/own-member.ts';
import { suggestion } from '../input/validation.ts';
import type { Draft } from './draft.ts';
import { type ConnectionMember, membersOfKind } from './members.ts';
import { type ReverseConnections, reverseConnections } from './reverse-connections.ts';
import { connectedKeys, type TeamObjects } from './team-objects.ts';

/** By field: keys in order. */
export type Connections = Readonly<Record<string, readonly string[]>>;

export interface DraftIndex {
  find(entity: string, key: string): Draft | undefined;
  keys(entity: string): readonly string[];
}

export function indexDrafts(drafts: readonly Draft[]): DraftIndex {
  const byEntity = new Map<string, Map<string, Draft>>();
  for (const draft of drafts) {
    const known = byEntity.get(draft.entity.key) ?? new Map<string, Draft>();
    byEntity.set(draft.entity.key, known.set(draft.key, draft));
  }
  return {
    find: (entity, key) => byEntity.get(entity)?.get(key),
    keys: (entity) => [...(byEntity.get(entity)?.keys() ?? [])],
  };
}

const keysComparedMax = 2000;
/** More faults get no suggestion, because finding the closest key takes long. */
const suggestionsMax = 100;

interface NamedKey {
  readonly path: () => string;
  readonly to: string;
  readonly key: string;
}

function* namedKeys({ entity, path, references, connections }: Draft): Generator<NamedKey> {
  for (const { name, to } of membersOfKind(entity, 'reference')) {
    const key = ownMember(references, name);
    if (key !== undefined) yield { path: () => pathOf(path, name), to, key };
  }
  for (const { name, place } of membersOfKind(entity, 'connection')) {
    for (const [at, key] of (ownMember(connections, name) ?? []).entries())
      yield { path: () => pathOf(path, name, at), to: place.to, key };
  }
}

/** One more than an answer shows; further ones are not looked for. */
const faultsFoundMax = faultsShownMax + 1;

/** Neither in the document nor in the team. */
export function nameFaults(drafts: readonly Draft[], team: TeamObjects): Fault[] {
  const index = indexDrafts(drafts);
  const unknown = Iterator.from(drafts)
    .flatMap(namedKeys)
    .filter(({ to, key }) => !index.find(to, key) && !team.find(to, key));
  const faults = unknown.take(faultsFoundMax).map(({ path, to, key }, at): Fault => {
    const isSuggested = at < suggestionsMax;
    const known = isSuggested ? [...index.keys(to), ...team.of(to).map((held) => held.key)] : [];
    const nearest = suggestion(key, known.slice(0, keysComparedMax));
    const Message = `names ${entityOf(to).title} "${key}", which is neither in the document nor in the team${nearest}`;
    return { Path: path(), Code: 'not_found', Message };
  });
  return [...faults];
}

interface MergeSources {
  readonly index: DraftIndex;
  readonly reverse: ReverseConnections;
  readonly team: TeamObjects;
}

/** For a side that leaves its member out (reference, C7): the other side's, and those not in the document. */
function otherSidesConnections(
  { index, reverse, team }: MergeSources,
  draft: Draft,
  member: ConnectionMember,
): readonly string[] {
  const { fieldName, place } = member;
  const theirs = reverse.of(draft.entity, member, draft.key);
  const held = team.find(draft.entity.key, draft.key);
  if (held === undefined || place.mirror === undefined) return theirs;
  const waiting = theirs.values();
  const merged = connectedKeys(team, place.to, ownMember(held.object.derived, fieldName)).flatMap((key) => {
    if (!index.find(place.to, key)) return [key];
    const next = waiting.next();
    return next.done ? [] : [next.value];
  });
  return [...merged, ...waiting];
}

function mergeSides(sides: MergeSources, draft: Draft, member: ConnectionMember, faultsMax: number) {
  const { name, place } = member;
  const own = ownMember(draft.connections, name);
  if (own === undefined) return { keys: otherSidesConnections(sides, draft, member), faults: [] };
  const theirs = sides.reverse.of(draft.entity, member, draft.key);
  const named = new Set(own);
  const faults = theirs
    .filter((key) => !named.has(key))
    .slice(0, faultsMax)
    .map((key): Fault => {
      const other = `${entityOf(place.to).title} "${key}"`;
      const Message = `leaves out ${other}, which names this object in ${place.mirror}; name each on both sides, or leave out the member on one side`;
      return { Path: pathOf(draft.path, name), Code: 'contradiction', Message };
    });
  return { keys: own, faults };
}

/** Reference, C7; faults if two sides contradict each other. */
export function mergeConnections(
  drafts: readonly Draft[],
  team: TeamObjects,
): {
  readonly connectionsOf: (draft: Draft) => Connections;
  readonly faults: readonly Fault[];
} {
  const sides = { index: indexDrafts(drafts), reverse: reverseConnections(drafts), team };
  const agreed = new Map<Draft, Connections>();
  const faults: Fault[] = [];
  for (const draft of drafts) {
    const members = membersOfKind(draft.entity, 'connection').map((member) => {
      const both = mergeSides(sides, draft, member, faultsFoundMax - faults.length);
      faults.push(...both.faults);
      return [member.fieldName, both.keys] as const;
    });
    agreed.set(draft, Object.fromEntries(members));
  }
  return { connectionsOf: (draft) => agreed.get(draft) ?? {}, faults };
}
