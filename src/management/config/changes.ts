import type { Draft } from './draft.ts';
import { type DesiredObject, type MemberReading, memberKind } from './member-kinds.ts';
import { isSame, membersOf } from './members.ts';
import type { Connections } from './merge-connections.ts';
import type { Change } from './plan-entry.ts';
import type { TeamObject } from './team-objects.ts';

interface ComparedSides {
  readonly draft: Draft;
  readonly current: TeamObject;
  readonly connections: Connections;
}

/** In the order of its members. */
export async function changesOf(
  reading: MemberReading,
  { draft, current, connections }: ComparedSides,
): Promise<readonly Change[]> {
  const wanted: DesiredObject = { ...draft, connections };
  const changes: Change[] = [];
  for (const member of membersOf(draft.entity)) {
    const kind = memberKind(member);
    const to = await kind.desired(member, reading, wanted);
    if (to === undefined) continue;
    const from = await kind.current(member, reading, current);
    if (isSame(from, to)) continue;
    const [Old, New] = kind.shown?.(member, from, to) ?? [from, to];
    changes.push({ Field: member.name, Old, New });
  }
  return changes;
}
