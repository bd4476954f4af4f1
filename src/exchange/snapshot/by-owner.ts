import { getOrMake } from '../../statistics/nested-maps.ts';

/** What is for all of a team is its own. */
export const teamOwner = (teamId: number) => `Team:${teamId}`;

interface Owned {
  readonly teamId: number;
  /** `VastTag:7`; none: the team. */
  readonly owners: readonly string[];
}

/** In their order, by each of their owners. */
export function byOwner<Item extends Owned>(items: Iterable<Item>): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const owners = item.owners.length === 0 ? [teamOwner(item.teamId)] : item.owners;
    for (const owner of owners) getOrMake(groups, owner, () => []).push(item);
  }
  return groups;
}
