import type { ShownEntity, ShownField } from '../field-tables.ts';
import { titleOf } from '../parts/value-text.ts';

/** Something that the search leads to, or does. */
export interface Place {
  readonly id: string;
  readonly label: string;
  /** What the API calls it. */
  readonly name?: string;
  readonly text?: string;
  readonly words?: string;
  readonly go: () => void;
}

type Words = Pick<Place, 'label' | 'name' | 'text' | 'words'>;

const isFound = (query: string, { label, name = '', text = '', words = '' }: Words): boolean => {
  const all = `${label} ${name} ${text} ${words}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};

/** Whose label or name is the query is best, then who begins with it or has it; last, whose text has it. */
function rankOf(query: string, { label, name = '' }: Words): number {
  const wanted = query.toLowerCase();
  const texts = [label, name].map((text) => text.toLowerCase());
  if (texts.includes(wanted)) return -1;
  const at = texts.map((text) => text.indexOf(wanted)).filter((place) => place >= 0);
  return Math.min(...at, Number.MAX_SAFE_INTEGER);
}

/** The best of some places for a query. @internal */
export const foundIn = <P extends Words>(places: readonly P[], query: string, most: number): readonly P[] =>
  places
    .filter((place) => isFound(query, place))
    .sort((one, other) => rankOf(query, one) - rankOf(query, other))
    .slice(0, most);

/** Places of one kind, the best first. */
export interface FoundGroup {
  readonly title: string;
  readonly places: readonly Place[];
}

/** The kinds in which something is found, that of the best place first; the others in their order. */
export function foundGroups(
  groups: readonly FoundGroup[],
  query: string,
  most: number,
): readonly FoundGroup[] {
  const found = groups.flatMap(({ title, places }) => {
    const best = foundIn(places, query, most);
    const [first] = best;
    return first ? [{ title, places: best, rank: rankOf(query, first) }] : [];
  });
  return found.toSorted((one, other) => one.rank - other.rank);
}

/** Whether the search leads to a field of the object whose screen is shown: to those of its form. */
export const isSearched = ({
  place,
  presence,
  section,
}: Pick<ShownField, 'place' | 'presence' | 'section'>) =>
  presence !== 'derived' && place !== 'column' && section !== 'Connections';

/** An object that was found, and where it says so. */
export interface SearchResult {
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly StatusString: 'Active' | 'Inactive';
  readonly Field: string;
  readonly Value: string;
}

/** Of what was found for the query before, what this one finds, too. */
export function keptResults(results: readonly SearchResult[], query: string): readonly SearchResult[] {
  const wanted = query.toLowerCase();
  return results.filter(({ Value }) => Value.toLowerCase().includes(wanted));
}

/** What is said of an object that was found, and whether it was by a line of its list, where that leads. */
export function resultText(
  { Entity, Id, Name, Field, Value }: SearchResult,
  entity: Pick<ShownEntity, 'title'> | undefined,
  place: ShownField['place'] | undefined,
) {
  const title = `${entity?.title ?? Entity} ${Id}`;
  const isLine = place === 'listText';
  const where = isLine ? `has the line ${Value}` : `${titleOf(Field)}: ${Value}`;
  const isElsewhere = Field !== 'Name' && Field !== 'Id';
  return { label: Name || title, description: isElsewhere ? `${title} · ${where}` : title, isLine };
}
