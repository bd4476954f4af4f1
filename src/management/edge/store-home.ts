import { createHash } from 'node:crypto';
import { entityOf } from '../../entities/registry.ts';
import { mockDspsOf } from '../../reference/demo-paths.ts';
import type { Store } from '../../store/interface.ts';
import type { ConsumeShipment } from './consume-shipments.ts';
import type { EdgeHome, SharedState } from './edge-home.ts';

const secretName = 'home';
const idCharacters = 16;
/** How often to look for what makes no revision; all who wait share a look. */
const lookEveryMs = 1000;

type HomeStore = Pick<Store, 'feed' | 'secret' | 'text' | 'trackerKeys' | 'demonstrations' | 'identity'>;

async function readSurroundings(store: HomeStore): Promise<SharedState> {
  const [keys, settings, demonstrations, edgeKeys] = await Promise.all([
    store.trackerKeys(),
    store.identity.allTeamSettings(),
    store.demonstrations(),
    store.identity.edgeKeys(),
  ]);
  return {
    trackerKeys: keys.map((key) => ({ ...key, secret: Buffer.from(key.secret).toString('base64') })),
    teamSettings: [...settings],
    demonstrations: demonstrations.map(mockDspsOf),
    edgeKeys: edgeKeys.map(({ id, hash }) => ({ id, hash })),
  };
}

export function createStoreHome(store: HomeStore, take: ConsumeShipment): EdgeHome {
  let known: { readonly atMs: number; readonly surroundings: Promise<SharedState> } | undefined;
  let id: string | undefined;
  return {
    async id() {
      id ??= createHash('sha256')
        .update(await store.secret(secretName))
        .digest('hex')
        .slice(0, idCharacters);
      return id;
    },
    feed: store.feed,
    changesFrom: () => 0,
    text: (entity, listId, revision) => store.text(entityOf(entity), listId, revision),
    sharedState() {
      const nowMs = performance.now();
      if (!known || nowMs - known.atMs >= lookEveryMs)
        known = { atMs: nowMs, surroundings: readSurroundings(store) };
      return known.surroundings;
    },
    ageMs: () => 0,
    user: (userId) => store.identity.user(userId),
    take,
  };
}
