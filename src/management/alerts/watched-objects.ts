import { entityOf } from '../../entities/registry.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Subject } from '../../store/alerts/interface.ts';
import type { Store, StoredObject } from '../../store/interface.ts';

const idsPerRead = 500;

async function activeOf(
  store: Pick<Store, 'page'>,
  teamId: number,
  kind: string,
  ids: readonly number[],
): Promise<StoredObject[]> {
  const { owner } = entityOf(kind);
  const found: StoredObject[] = [];
  for (let from = 0; from < ids.length; from += idsPerRead) {
    const some = ids.slice(from, from + idsPerRead);
    const fields = ['Name', ...(owner ? [owner.field] : [])];
    found.push(...(await store.page(entityOf(kind), teamId, { ids: some }, idsPerRead, fields)));
  }
  return found.filter(({ status }) => status === 0);
}

/** Whose owners are active too: inactive objects are not watched. */
export async function watchedObjects(
  store: Pick<Store, 'page'>,
  teamId: number,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [kind, all] of Map.groupBy(subjects, (subject) => subject.kind)) {
    if (kind === '') {
      names.set(':0', '');
      continue;
    }
    const { owner } = entityOf(kind);
    const objects = await activeOf(
      store,
      teamId,
      kind,
      all.map(({ id }) => id),
    );
    const ownerOf = ({ document }: StoredObject) => Number(owner ? ownMember(document, owner.field) : 0);
    const owners = owner
      ? await activeOf(store, teamId, owner.entity, [...new Set(objects.map(ownerOf))])
      : [];
    const isOwned = new Set(owners.map(({ id }) => id));
    for (const object of objects) {
      if (owner && !isOwned.has(ownerOf(object))) continue;
      names.set(`${kind}:${object.id}`, String(object.document.Name ?? ''));
    }
  }
  return names;
}
