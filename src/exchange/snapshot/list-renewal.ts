import { type ListKind, listKindNames } from '../../entities/kinds.ts';
import type { ConfigurationFeed, ConfigurationObject } from '../configuration.ts';
import { externalMemoryBallast } from '../external-memory-ballast.ts';
import type { ActiveList, ListKey, ListTable, SnapshotCompiler } from './compile.ts';
import { createListUses } from './list-uses.ts';
import type { ServedAs } from './object-locations.ts';
import type { ThreadSharing } from './sharing.ts';

/** With the revision that wrote the text. */
interface CompiledText {
  readonly textRevision: number;
  readonly matcher: unknown;
  /** The matcher's memory, which threads share. */
  readonly memory: unknown;
  readonly weight: Uint8Array;
}

function bytesIn(memory: unknown): number {
  if (ArrayBuffer.isView(memory)) return memory.byteLength;
  return typeof memory === 'object' && memory !== null
    ? Object.values(memory).reduce((sum: number, part) => sum + bytesIn(part), 0)
    : 0;
}

type SharedList = Pick<CompiledText, 'textRevision' | 'memory'>;

const topic = 'list';

interface KnownList extends ListKey {
  readonly teamId: number;
  readonly isActive: boolean;
  readonly isGlobal: boolean;
  readonly ipKind: number | undefined;
  readonly textRevision: number;
}

/** `placed` undefined: to be removed. */
interface ListMove {
  readonly list: KnownList;
  readonly placed: { readonly text: CompiledText; readonly list: ActiveList } | undefined;
}

const listKeyText = ({ kind, id }: ListKey) => `${kind}:${id}`;

function isList(object: ConfigurationObject): object is ConfigurationObject<ListKind> {
  return (listKindNames as readonly string[]).includes(object.entity);
}

function knownList({
  entity,
  id,
  teamId,
  status,
  settings,
  textRevision = 0,
}: ConfigurationObject): KnownList {
  const kind = entity as ListKind;
  const isGlobal = settings.Global === 1;
  return { kind, id, teamId, isActive: status === 0, isGlobal, ipKind: settings.Kind, textRevision };
}

/** Compiled texts: those held, else from the first thread or the feed. */
function createTexts(
  compiler: SnapshotCompiler,
  feed: Pick<ConfigurationFeed, 'text'>,
  sharing: ThreadSharing,
) {
  const held = new Map<string, CompiledText>();
  if (sharing.leads)
    sharing.answer(topic, async (name): Promise<SharedList | undefined> => {
      const { textRevision, memory } = held.get(listKeyText(name as ListKey)) ?? {};
      return textRevision === undefined ? undefined : { textRevision, memory };
    });
  const found = async ({ kind, id, textRevision }: KnownList): Promise<SharedList> => {
    const told = sharing.leads ? undefined : await sharing.ask(topic, { kind, id } satisfies ListKey);
    const shared = told as SharedList | undefined;
    if (shared && shared.textRevision >= textRevision) return shared;
    return { textRevision, memory: await compiler.list(kind, feed.text(kind, id)) };
  };
  return {
    held,
    /** Rejects if it cannot be read. */
    async compiled(list: KnownList): Promise<CompiledText> {
      const known = held.get(listKeyText(list));
      if (known?.textRevision === list.textRevision) return known;
      const { textRevision, memory } = await found(list);
      const matcher = compiler.matcher(list.kind, memory);
      return { textRevision, memory, matcher, weight: externalMemoryBallast(bytesIn(memory)) };
    },
  };
}

/** Lists may take 64 MiB: held only if global or used, and compiled only if written or newly used. */
export function createListRenewal(
  compiler: SnapshotCompiler,
  feed: Pick<ConfigurationFeed, 'text'>,
  places: ListTable,
  sharing: ThreadSharing,
) {
  const known = new Map<string, KnownList>();
  const texts = createTexts(compiler, feed, sharing);
  const uses = createListUses((object) => [...compiler.listsOf(object)].map(listKeyText));
  const moveOf = async (list: KnownList, isUsed: boolean): Promise<ListMove> => {
    const { teamId, isActive, isGlobal, ipKind } = list;
    if (!isActive || !(isGlobal || isUsed)) return { list, placed: undefined };
    const text = await texts.compiled(list);
    return { list, placed: { text, list: { teamId, isGlobal, ipKind, matcher: text.matcher } } };
  };
  const make = ({ list, placed }: ListMove): void => {
    const { kind, id } = list;
    known.set(listKeyText(list), list);
    if (placed) {
      texts.held.set(listKeyText(list), placed.text);
      places.put(kind, id, placed.list);
    } else {
      texts.held.delete(listKeyText(list));
      places.remove(kind, id);
    }
  };
  /**
   * Returns a function that puts all lists in place at once. Rejects, with nothing changed, if a text is unreadable.
   */
  const renew = async (came: Iterable<ConfigurationObject>, servedAs: ServedAs): Promise<() => void> => {
    const lists = new Map<string, KnownList>();
    const others: ConfigurationObject[] = [];
    for (const object of came) {
      if (!isList(object)) others.push(object);
      else lists.set(`${object.entity}:${object.id}`, knownList(object));
    }
    const change = uses.changeBy(others, servedAs);
    for (const key of change.touched) {
      const list = lists.get(key) ?? known.get(key);
      if (list) lists.set(key, list);
    }
    const moves: ListMove[] = [];
    for (const [key, list] of lists) moves.push(await moveOf(list, change.isUsed(key)));
    return () => {
      change.make();
      for (const move of moves) make(move);
    };
  };
  /** Puts lists that only these objects name into another table. Rejects like `renew`. */
  const placeUnused = async (objects: readonly ConfigurationObject[], others: ListTable): Promise<void> => {
    const named = new Set(objects.flatMap((object) => [...compiler.listsOf(object)].map(listKeyText)));
    for (const key of named) {
      const list = texts.held.has(key) ? undefined : known.get(key);
      const { placed } = (list && (await moveOf(list, true))) ?? {};
      if (list && placed) others.put(list.kind, list.id, placed.list);
    }
  };
  return { renew, placeUnused };
}
