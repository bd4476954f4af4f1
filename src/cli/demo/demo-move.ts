import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { demoTag } from '../../management/demonstration/demo-fill.ts';
import type { Links } from '../../management/present.ts';
import type { Actor, DemoTag, Store, StoredObject, Transaction, Values } from '../../store/interface.ts';

const vastTag = entityOf('VastTag');

const objectsPerPage = 200;

async function* objectsOf(transaction: Transaction, entity: Entity): AsyncGenerator<StoredObject> {
  let page: readonly StoredObject[] = [];
  do {
    page = await transaction.page(entity, { afterId: page.at(-1)?.id ?? 0 }, objectsPerPage);
    yield* page;
  } while (page.length === objectsPerPage);
}

function moved({ document }: StoredObject, from: string, to: string, isShown: boolean): Values {
  const urls = Object.entries(document).flatMap(([name, value]) =>
    typeof value === 'string' && value.startsWith(`${from}/demo/`)
      ? [[name, to + value.slice(from.length)] as const]
      : [],
  );
  // Its ads come from the same server, which may have no certificate there.
  const isTooStrict = isShown && document.Secure === 1 && !to.startsWith('https:');
  return { ...(from === to ? {} : Object.fromEntries(urls)), ...(isTooStrict && { Secure: 0 }) };
}

/** To the address of `links`, in one transaction. Rejects if the team is no demonstration. */
export async function moveDemo(
  store: Store,
  actor: Actor,
  links: Links,
): Promise<{ readonly changed: number; readonly tags: readonly DemoTag[] }> {
  const { teamId } = actor;
  const known = (await store.demonstrations()).find((one) => one.teamId === teamId);
  if (!known) throw new Error(`Team ${teamId} is not a demonstration; \`bourse demo\` makes it one`);
  const { baseUrl: url } = links;
  const shownIds = new Set(known.tags.map(({ id }) => id));
  return await store.write(actor, async (transaction) => {
    let changed = 0;
    const tags: DemoTag[] = [];
    for (const entity of entities) {
      for await (const object of objectsOf(transaction, entity)) {
        const isShown = entity.key === vastTag.key && shownIds.has(object.id);
        if (isShown) tags.push(demoTag(object, links));
        const document = moved(object, known.url, url, isShown);
        if (Object.keys(document).length === 0) continue;
        await transaction.update(entity, object, { document, connections: {} });
        changed += 1;
      }
    }
    await transaction.setDemonstration({ ...known, url, tags });
    return { changed, tags };
  });
}
