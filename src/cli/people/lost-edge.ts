import type { Entity } from '../../entities/entity.ts';
import type { Store } from '../../store/interface.ts';
import { addKey } from '../keys.ts';
import { withStore } from '../with-store.ts';

const idsShownMax = 20;

/** One line per team. */
async function printObjects({ feed }: Store, { key, path }: Entity, what: string): Promise<void> {
  const byTeam = new Map<number, number[]>();
  for await (const page of feed.objects(key)) {
    for (const { teamId, id } of page) byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), id]);
  }
  for (const [teamId, ids] of byTeam) {
    const rest = ids.length > idsShownMax ? ` and ${ids.length - idsShownMax} more` : '';
    console.log(`  team ${teamId}, ${path}: ${what} of ${ids.slice(0, idsShownMax).join(', ')}${rest}`);
  }
}

/** Ends the key of an edge in wrong hands and the trackers' key, and prints what people must replace. */
export async function shutOut(id: number, { in: minutes }: { readonly in: number }): Promise<void> {
  await withStore(async (store) => {
    const { createIdentity } = await import('../../identity/identity.ts');
    const { entities } = await import('../../entities/registry.ts');
    await createIdentity({ store, now: Date.now }).revokeEdgeKey(id);
    console.log(`Revoked the key of edge ${id}`);
    await addKey(store, minutes);
    console.log(
      'Until then, and for ads that were served before, anyone with access to the edge can forge trackers.\n',
    );
    console.log(
      'The edge saw the credentials in the URLs that it served. Replace these (POST /api/<path>/rotate):',
    );
    for (const entity of entities) {
      const credentials = Object.entries(entity.fields).flatMap(([name, field]) =>
        field.place.kind === 'secret' && field.isForDelivery ? [name] : [],
      );
      if (credentials.length > 0) await printObjects(store, entity, credentials.join(' and '));
    }
    console.log('\nIt knew the URLs of demand. Ask the advertisers for new ones if their URLs contain keys:');
    for (const entity of entities) {
      const calls = Object.entries(entity.fields).some(
        ([, { section, accepts }]) => section === 'Calls' && 'type' in accepts && accepts.type === 'string',
      );
      if (calls && entity.exchange?.side === 'demand') await printObjects(store, entity, 'URLs');
    }
    console.log('\nIt did not know passwords, API tokens, mail addresses or credentials of statistics.');
  });
}
