import type { ExchangeKind } from '../../../src/entities/kinds.ts';
import type {
  ConfigurationChange,
  ConfigurationFeed,
  ConfigurationObject,
} from '../../../src/exchange/configuration.ts';
import { settingsOf } from '../settings-of.ts';

type Draft = { -readonly [K in keyof ConfigurationObject]: ConfigurationObject[K] };

/** Fields that name each other's objects. */
const pairs = [
  ['VastTag.DspVastTags', 'DspVastTag.VastTags'],
  ['VastTag.Campaigns', 'Campaign.VastTags'],
  ['RtbEp.DspVastTags', 'DspVastTag.RtbEps'],
] as const;
const mirrors = new Map<string, string>(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));

/** Members of an object to be changed; of its settings those that are sent. */
type Changes = Partial<Omit<ConfigurationObject, 'entity' | 'id' | 'settings'>> & {
  readonly settings?: Readonly<Record<string, unknown>>;
};

/** A configuration in memory, in place of the store's: tests change it as the management API would. */
export interface NaiveFeed {
  readonly feed: ConfigurationFeed;
  /** Puts an object in or changes some of it; one change in the log, or more where a connection has two ends. */
  put(entity: ExchangeKind, id: number, changes: Changes): void;
  /** Writes the text of a list. */
  write(entity: ExchangeKind, id: number, lines: readonly string[]): void;
  /** IDs of an entity's objects. */
  ids(entity: string): readonly number[];
  /** Calls who listens. */
  tell(): void;
  /** What is called before each reading, to fail or to change something meanwhile. */
  onRead: () => void;
}

const firstRevision = 1;

/** What a configuration in memory is made of. */
interface Memory {
  readonly objects: Map<string, Draft>;
  readonly texts: Map<string, readonly string[]>;
  readonly changes: ConfigurationChange[];
  readonly listeners: Set<() => void>;
}

function idsIn({ objects }: Memory, entity: string): number[] {
  return [...objects.values()]
    .flatMap((one) => (one.entity === entity ? [one.id] : []))
    .sort((a, b) => a - b);
}

/** The feed of a memory; calls `beforeRead` before each reading. */
function feedOf(memory: Memory, beforeRead: () => void): ConfigurationFeed {
  const { objects, texts, changes, listeners } = memory;
  const read = (entity: string, id: number): ConfigurationObject | undefined => {
    const draft = objects.get(`${entity}:${id}`);
    return draft && { ...draft };
  };
  return {
    async revision() {
      beforeRead();
      return changes.length;
    },
    async *objects(entity, picked) {
      for (const id of idsIn(memory, entity)) {
        beforeRead();
        const object = picked?.includes(id) === false ? undefined : read(entity, id);
        if (object) yield [object];
      }
    },
    object: async (entity, id) => read(entity, id),
    async changes(after, limit) {
      beforeRead();
      return changes.slice(after, after + limit);
    },
    async *text(entity, id) {
      beforeRead();
      for (const line of texts.get(`${entity}:${id}`) ?? []) yield line;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** An empty configuration. */
export function createNaiveFeed(): NaiveFeed {
  const memory: Memory = { objects: new Map(), texts: new Map(), changes: [], listeners: new Set() };
  const { objects, texts, changes, listeners } = memory;
  const log = (entity: string, id: number) =>
    void changes.push({ revision: changes.length + firstRevision, entity, id });
  const draftOf = (entity: ExchangeKind, id: number): Draft => {
    const key = `${entity}:${id}`;
    const blank = { teamId: 1, ownerId: undefined, status: 0, settings: settingsOf(entity), connections: {} };
    const draft = objects.get(key) ?? { entity, id, ...blank };
    objects.set(key, draft);
    return draft;
  };
  const connect = (entity: ExchangeKind, id: number, field: string, ids: readonly number[]) => {
    const [other, mirror] = mirrors.get(`${entity}.${field}`)?.split('.') ?? [];
    if (other === undefined || mirror === undefined) return;
    for (const draft of objects.values()) {
      const before = draft.connections[mirror] ?? [];
      const isIn = before.includes(id);
      if (draft.entity !== other || isIn === ids.includes(draft.id)) continue;
      const after = isIn ? before.filter((one) => one !== id) : [...before, id];
      draft.connections = { ...draft.connections, [mirror]: after };
      log(other, draft.id);
    }
  };
  const naive: NaiveFeed = {
    put(entity, id, { connections = {}, settings = {}, ...rest }) {
      const draft = draftOf(entity, id);
      Object.assign(draft, rest, {
        settings: { ...draft.settings, ...settings },
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
    ids: (entity) => idsIn(memory, entity),
    tell() {
      for (const listener of listeners) listener();
    },
    onRead: () => undefined,
    feed: feedOf(memory, () => naive.onRead()),
  };
  return naive;
}
