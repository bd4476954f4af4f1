import type {
  ConfigurationChange,
  ConfigurationFeed,
  ConfigurationObject,
} from '../../../src/exchange/configuration.ts';

type Draft = { -readonly [K in keyof ConfigurationObject]: ConfigurationObject[K] };

/** Fields that name each other's objects. */
const pairs = [
  ['VastTag.DspVastTags', 'DspVastTag.VastTags'],
  ['VastTag.Campaigns', 'Campaign.VastTags'],
  ['RtbEp.DspVastTags', 'DspVastTag.RtbEps'],
] as const;
const mirrors = new Map<string, string>(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));

/** A configuration in memory, in place of the store's: tests change it as the management API would. */
export interface NaiveFeed {
  readonly feed: ConfigurationFeed;
  /** Puts an object in or changes some of it; one change in the log, or more where a connection has two ends. */
  put(entity: string, id: number, changes: Partial<Omit<ConfigurationObject, 'entity' | 'id'>>): void;
  /** Writes the text of a list. */
  write(entity: string, id: number, lines: readonly string[]): void;
  /** IDs of an entity's objects. */
  ids(entity: string): readonly number[];
  /** Calls who listens. */
  tell(): void;
  /** What is called before each reading, to fail or to change something meanwhile. */
  onRead: () => void;
}

const firstRevision = 1;

/** What was put, and the log of it. */
function createDrafts() {
  const objects = new Map<string, Draft>();
  const changes: ConfigurationChange[] = [];
  const log = (entity: string, id: number) =>
    void changes.push({ revision: changes.length + firstRevision, entity, id });
  const draftOf = (entity: string, id: number): Draft => {
    const key = `${entity}:${id}`;
    const blank = { teamId: 1, ownerId: undefined, status: 0, document: {}, connections: {} };
    const draft = objects.get(key) ?? { entity, id, ...blank };
    objects.set(key, draft);
    return draft;
  };
  const connect = (entity: string, id: number, field: string, ids: readonly number[]) => {
    const [other, mirror] = mirrors.get(`${entity}.${field}`)?.split('.') ?? [];
    if (other === undefined || mirror === undefined) return;
    for (const [key, draft] of objects) {
      if (!key.startsWith(`${other}:`)) continue;
      const before = draft.connections[mirror] ?? [];
      const isIn = before.includes(id);
      if (isIn === ids.includes(draft.id)) continue;
      const after = isIn ? before.filter((one) => one !== id) : [...before, id];
      draft.connections = { ...draft.connections, [mirror]: after };
      log(other, draft.id);
    }
  };
  return { objects, changes, log, draftOf, connect };
}

/** An empty configuration. */
export function createNaiveFeed(): NaiveFeed {
  const { objects, changes, log, draftOf, connect } = createDrafts();
  const texts = new Map<string, readonly string[]>();
  const listeners = new Set<() => void>();
  const read = (entity: string, id: number): ConfigurationObject => ({ ...draftOf(entity, id) });
  const ids = (entity: string) =>
    [...objects.values()].flatMap((one) => (one.entity === entity ? [one.id] : [])).sort((a, b) => a - b);
  const naive: NaiveFeed = {
    put(entity, id, { connections = {}, document = {}, ...rest }) {
      const draft = draftOf(entity, id);
      Object.assign(draft, rest, {
        document: { ...draft.document, ...document },
        connections: { ...draft.connections, ...connections },
      });
      log(entity, id);
      for (const [field, others] of Object.entries(connections)) connect(entity, id, field, others);
    },
    write(entity, id, lines) {
      texts.set(`${entity}:${id}`, lines);
      draftOf(entity, id).textRevision = changes.length + firstRevision;
      log(entity, id);
    },
    ids,
    tell() {
      for (const listener of listeners) listener();
    },
    onRead: () => undefined,
    feed: {
      async revision() {
        naive.onRead();
        return changes.length;
      },
      async *objects(entity, picked) {
        for (const id of ids(entity)) {
          naive.onRead();
          if (picked?.includes(id) ?? true) yield [read(entity, id)];
        }
      },
      object: async (entity, id) => (objects.has(`${entity}:${id}`) ? read(entity, id) : undefined),
      async changes(after, limit) {
        naive.onRead();
        return changes.slice(after, after + limit);
      },
      async *text(entity, id) {
        naive.onRead();
        for (const line of texts.get(`${entity}:${id}`) ?? []) yield line;
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
  return naive;
}
