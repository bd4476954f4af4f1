import type { ConfigurationFeed, ConfigurationObject, ListKind } from '../configuration.ts';
import type { Compile, ListPlaces, PlacedList } from './compile.ts';
import { listKindNames } from './kinds.ts';

/** A list's compiled text, and the revision that wrote the text. */
interface CompiledText {
  readonly textRevision: number;
  readonly matcher: unknown;
}

/** What to do with a list: put it in its place, or remove it where `placed` is undefined. */
interface Move {
  readonly kind: ListKind;
  readonly id: number;
  readonly placed: { readonly text: CompiledText; readonly list: PlacedList } | undefined;
}

function isList(object: ConfigurationObject): boolean {
  return (listKindNames as readonly string[]).includes(object.entity);
}

/**
 * Keeps the lists in their places. A text is compiled only when it has been written, or when its list becomes active. A
 * list that was renamed, or is used by one more object, keeps its matcher.
 */
export function createListRenewal(
  compile: Compile,
  feed: Pick<ConfigurationFeed, 'text'>,
  places: ListPlaces,
) {
  const texts = new Map<string, CompiledText>();
  const compiled = async (kind: ListKind, id: number, textRevision: number): Promise<CompiledText> => {
    const known = texts.get(`${kind}:${id}`);
    if (known?.textRevision === textRevision) return known;
    return { textRevision, matcher: await compile.list(kind, feed.text(kind, id)) };
  };
  const moveOf = async (object: ConfigurationObject): Promise<Move> => {
    const { id, teamId, status, document, textRevision = 0 } = object;
    const kind = object.entity as ListKind;
    if (status !== 0) return { kind, id, placed: undefined };
    const text = await compiled(kind, id, textRevision);
    const list = { teamId, isGlobal: document.Global === 1, matcher: text.matcher };
    return { kind, id, placed: { text, list } };
  };
  const make = ({ kind, id, placed }: Move): void => {
    if (placed) {
      texts.set(`${kind}:${id}`, placed.text);
      places.put(kind, id, placed.list);
    } else {
      texts.delete(`${kind}:${id}`);
      places.remove(kind, id);
    }
  };
  /**
   * Compiles the lists among the objects that have changed. Returns a function that puts all of them in their places at
   * once. Rejects when a text cannot be read; nothing has changed then.
   */
  return async (came: Iterable<ConfigurationObject>): Promise<() => void> => {
    const moves: Move[] = [];
    for (const object of came) if (isList(object)) moves.push(await moveOf(object));
    return () => {
      for (const move of moves) make(move);
    };
  };
}
