interface Owned {
  readonly teamId: number;
  /** `VastTag:7`; none: the team. */
  readonly owners: readonly string[];
}

export const teamOwner = (teamId: number) => `Team:${teamId}`;

/** In their order, by each of their owners. */
export function byOwner<Item extends Owned>(items: Iterable<Item>): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const owner of item.owners.length === 0 ? [teamOwner(item.teamId)] : item.owners) {
      const group = groups.get(owner);
      if (group) group.push(item);
      else groups.set(owner, [item]);
    }
  }
  return groups;
}
