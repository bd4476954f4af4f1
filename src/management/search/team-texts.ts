import type { Entity } from '../../entities/entity.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { ChangedObject, Store } from '../../store/interface.ts';
import { objectBatches } from '../listing/object-batches.ts';
import { type SearchPage, searchPageMaker } from './search-page.ts';
import type { TextPart } from './searched-fields.ts';

/** Cached, and renewed by changes. */
export interface TeamTexts {
  /** Unordered pages with texts of that part, as of the caller's revision or later. */
  of(entity: Entity, part: TextPart, caller: Pick<Bearer, 'teamId' | 'revision'>): AsyncIterable<SearchPage>;
}

/** A changed object has its page read again. */
const idsPerLot = 256;
/** A team with more changes is read again. */
const changesMax = 1000;
/** Characters that a page takes besides its texts, of which 96 MiB in one or two bytes each stay in memory. */
const lotSize = 8192;

type SearchPages = Map<number, SearchPage>;

interface Texts {
  readonly entity: Entity;
  readonly part: TextPart;
  /** Undefined if there is no room. */
  readonly pages: Promise<SearchPages | undefined>;
}

/** As of a revision or later. */
interface Team {
  revision: number;
  /** By entity and part. */
  readonly texts: Map<string, Texts>;
  size: number;
  /** Resolves when earlier changes were applied. */
  renewal: Promise<void>;
}

const keyOf = ({ entity, part }: Pick<Texts, 'entity' | 'part'>) => `${entity.key} ${part}`;
const numberOf = (id: number) => Math.floor(id / idsPerLot);
const sizeOf = (page: SearchPage | undefined) => (page ? page.size + lotSize : 0);

function put(team: Team, lots: SearchPages, number: number, page: SearchPage): void {
  team.size += sizeOf(page) - sizeOf(lots.get(number));
  lots.set(number, page);
}

function readerOf(store: Store, { entity, part }: Pick<Texts, 'entity' | 'part'>, teamId: number) {
  const { fields, make } = searchPageMaker(entity, part);
  return {
    /** In pages of any size. */
    stream: () => objectBatches({ store, entity, teamId, fields }, make),
    /** By number; undefined, and no more is read, if the team has no room. */
    async all(team: Team, sizeMax: number): Promise<SearchPages | undefined> {
      const lots: SearchPages = new Map();
      let open: Parameters<typeof make>[0] = [];
      const close = (from: number) => {
        const first = open[0];
        if (first && numberOf(first.id) !== from) {
          put(team, lots, numberOf(first.id), make(open));
          open = [];
        }
      };
      for await (const objects of objectBatches({ store, entity, teamId, fields }, (lot) => lot)) {
        for (const [number, ofLot] of Map.groupBy(objects, ({ id }) => numberOf(id))) {
          close(number);
          open = [...open, ...ofLot];
        }
        if (team.size > sizeMax) return undefined;
      }
      close(-1);
      return lots;
    },
    async lot(number: number): Promise<SearchPage> {
      const afterId = number * idsPerLot - 1;
      const objects = await store.page(entity, teamId, { afterId }, idsPerLot, fields);
      return make(objects.filter(({ id }) => numberOf(id) === number));
    },
  };
}

/** Starts again after too many changes. */
async function renew(store: Store, teamId: number, team: Team, revision: number): Promise<void> {
  if (team.revision >= revision) return;
  const changed: readonly ChangedObject[] = await store.changed(teamId, team.revision, changesMax + 1);
  if (changed.length > changesMax) {
    team.texts.clear();
    team.size = 0;
  }
  for (const texts of team.texts.values()) {
    const { key } = texts.entity;
    const numbers = changed.flatMap((change) => (change.entity === key ? [numberOf(change.id)] : []));
    if (numbers.length === 0) continue;
    const lots = await texts.pages;
    const { lot } = readerOf(store, texts, teamId);
    if (lots) for (const number of new Set(numbers)) put(team, lots, number, await lot(number));
  }
  team.revision = revision;
}

/** Up to `sizeMax` characters; the least recently used go first. */
export function createTeamTexts(store: Store, sizeMax = 96 * 1024 * 1024): TeamTexts {
  /** In the order of use. */
  const teams = new Map<number, Team>();
  const teamOf = (teamId: number, revision: number): Team => {
    const team = teams.get(teamId) ?? { revision, texts: new Map(), size: 0, renewal: Promise.resolve() };
    teams.delete(teamId);
    teams.set(teamId, team);
    return team;
  };
  const makeRoom = (keep: Team) => {
    let size = 0;
    for (const team of teams.values()) size += team.size;
    for (const [teamId, team] of teams) {
      if (size <= sizeMax || team === keep) return;
      teams.delete(teamId);
      size -= team.size;
    }
  };
  const load = async (team: Team, asked: Pick<Texts, 'entity' | 'part'>, teamId: number) => {
    const key = keyOf(asked);
    const pages = readerOf(store, asked, teamId).all(team, sizeMax);
    team.texts.set(key, { ...asked, pages });
    try {
      const lots = await pages;
      makeRoom(team);
      return lots;
    } catch (error) {
      team.texts.delete(key);
      throw error;
    }
  };
  return {
    async *of(entity, part, { teamId, revision }) {
      const asked = { entity, part };
      const team = teamOf(teamId, revision);
      const renewal = team.renewal.then(() => renew(store, teamId, team, revision));
      team.renewal = renewal.catch(() => undefined);
      await renewal;
      const lots = await (team.texts.get(keyOf(asked))?.pages ?? load(team, asked, teamId));
      yield* lots ? lots.values() : readerOf(store, asked, teamId).stream();
    },
  };
}
