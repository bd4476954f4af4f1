import type { ListKind } from '../../entities/kinds.ts';
import type { IpAddress } from '../opportunity.ts';
import type { Lists } from '../targeting/rule.ts';
import type { Matchers } from './compile-list.ts';

export interface RegisteredList<Kind extends ListKind> {
  readonly teamId: number;
  readonly isGlobal: boolean;
  /** Of an IP List; absent = 0. */
  readonly ipKind?: number | undefined;
  readonly matcher: Matchers[Kind];
}

/** Changes count for the next look-up: nothing needs to be compiled again. */
export interface ListRegistry extends Lists {
  set<Kind extends ListKind>(kind: Kind, id: number, list: RegisteredList<Kind>): void;
  remove(kind: ListKind, id: number): void;
}

const nobody: readonly number[] = [];

function createGlobals() {
  const byTeam = new Map<number, readonly number[]>();
  const of = (teamId: number) => byTeam.get(teamId) ?? nobody;
  return {
    of,
    add(teamId: number, id: number) {
      byTeam.set(
        teamId,
        [...of(teamId), id].sort((a, b) => a - b),
      );
    },
    remove(teamId: number, id: number) {
      byTeam.set(
        teamId,
        of(teamId).filter((other) => other !== id),
      );
    },
  };
}

/** With its last answer: objects that share a list ask the same in a row. */
interface CachedAnswer<Kind extends ListKind, Subject> {
  readonly list: RegisteredList<Kind>;
  subject: Subject | undefined;
  answer: boolean;
}

function createShelf<Kind extends ListKind, Subject>(
  has: (matcher: Matchers[Kind], subject: Subject) => boolean,
) {
  const byId = new Map<number, CachedAnswer<Kind, Subject>>();
  const globals = createGlobals();
  const remove = (id: number) => {
    const list = byId.get(id)?.list;
    if (list?.isGlobal) globals.remove(list.teamId, id);
    byId.delete(id);
  };
  return {
    globalsOf: globals.of,
    get: (id: number) => byId.get(id)?.list,
    remove,
    set(id: number, list: RegisteredList<Kind>) {
      remove(id);
      byId.set(id, { list, subject: undefined, answer: false });
      if (list.isGlobal) globals.add(list.teamId, id);
    },
    has(id: number, subject: Subject): boolean {
      const shelved = byId.get(id);
      if (!shelved) return false;
      if (shelved.subject !== subject) {
        shelved.subject = subject;
        shelved.answer = has(shelved.list.matcher, subject);
      }
      return shelved.answer;
    },
  };
}

type AnswerCaches = { readonly [K in ListKind]: Pick<ReturnType<typeof createShelf<K, never>>, 'set'> };

export function createListRegistry(): ListRegistry {
  const shelves = {
    DomainList: createShelf<'DomainList', string>((matcher, domain) => matcher.has(domain)),
    AppList: createShelf<'AppList', string>((matcher, bundle) => matcher.has(bundle)),
    IpList: createShelf<'IpList', IpAddress>((matcher, ip) => matcher.has(ip)),
    KeywordList: createShelf<'KeywordList', string>(
      (matcher, query) => matcher.first(query, 0) !== undefined,
    ),
  };
  const ofKind: AnswerCaches = shelves;
  return {
    domain: shelves.DomainList.has,
    app: shelves.AppList.has,
    ip: (listId, ip, kind) =>
      (shelves.IpList.get(listId)?.ipKind ?? 0) === kind && shelves.IpList.has(listId, ip),
    keyword: (listId, query, mode) => shelves.KeywordList.get(listId)?.matcher.first(query, mode),
    global: (kind, teamId) => shelves[kind].globalsOf(teamId),
    set: (kind, id, list) => ofKind[kind].set(id, list),
    remove: (kind, id) => shelves[kind].remove(id),
  };
}
