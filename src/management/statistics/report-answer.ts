import { setImmediate as turn } from 'node:timers/promises';
import { type TSchema, Type } from 'typebox';
import { measureSchema } from '../../answers/measure-schema.ts';
import { closedObject } from '../../answers/wire-schema.ts';
import { entityOf } from '../../entities/registry.ts';
import {
  type Dimension,
  type DimensionName,
  dimensionRows,
  dimensions,
  isTimeUnit,
  timeUnits,
} from '../../reference/dimensions.ts';
import { type MeasureValues, measureRows, measures } from '../../reference/measures.ts';
import { ownMember } from '../../reference/own-member.ts';
import { helpOfReason } from '../../reference/reason-help.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import type { ReportAnswer, ReportRow } from '../../statistics/asking/run-report.ts';
import { textInZone } from '../../statistics/asking/zones.ts';
import type { Store } from '../../store/interface.ts';

export interface AnswerColumn {
  readonly Name: string;
  /** `""` = none. */
  readonly Unit: string;
  readonly Help: string;
}

type Cell = string | number | null;
export type AnswerRow = Readonly<Record<string, Cell | true | MeasureValues>>;

const nameHelp =
  'Its current name; for partners, if an object is no longer theirs, the last name it had with them';
const reasonHelpHelp = 'What it means, and what changes it';

/** What a dimension tells apart, and what its value is. */
const helpOf = ({ help, value }: Pick<Dimension, 'help' | 'value'>) => `${help}. ${value}`;

/** Its value, and what goes with it. */
function dimensionColumns(name: DimensionName, { help, value, shows }: Dimension): AnswerColumn[] {
  const own = { Name: name, Unit: '', Help: helpOf({ help, value }) };
  const named = { Name: `${name}Name`, Unit: '', Help: nameHelp };
  if (shows === 'reason') return [own, { Name: `${name}Help`, Unit: '', Help: reasonHelpHelp }];
  if (typeof shows === 'string') return [own];
  if ('account' in shows) return [own, named];
  return [{ Name: shows.kindAs, Unit: '', Help: 'Its kind' }, own, named];
}

const partialHelp = 'true if From or To falls within the interval, so that this is only a part of it';
const partialColumn: AnswerColumn = { Name: 'Partial', Unit: '', Help: partialHelp };

/** The question, and whether it has partial intervals. */
export type AnswerShape = Pick<ReportQuestion, 'groups' | 'measures' | 'compareTo'> &
  Pick<ReportAnswer, 'hasPartial'>;

export function answerColumns({ groups, measures: asked, hasPartial }: AnswerShape): AnswerColumn[] {
  const grouped = groups.flatMap((name) =>
    isTimeUnit(name)
      ? [{ Name: name, Unit: '', Help: 'Its start' }, ...(hasPartial ? [partialColumn] : [])]
      : dimensionColumns(name, dimensions[name]),
  );
  const figures = asked.map((name) => {
    const { help, unit = '' } = { unit: undefined, ...measures[name] };
    return { Name: name, Unit: unit ?? '', Help: help };
  });
  // Two dimensions may show the same kind.
  return [...new Map([...grouped, ...figures].map((column) => [column.Name, column])).values()];
}

/** Few enough that auctions wait less than a millisecond. */
const idsPerRead = 50;

export type Names = ReadonlyMap<string, string>;

function* objectsOf({ shows }: Dimension, values: Iterable<readonly (string | number)[]>) {
  if (typeof shows === 'string') return;
  for (const [first = '', second = 0] of values) {
    const [kind, id] = 'account' in shows ? [shows.account, Number(first)] : [String(first), Number(second)];
    if (kind !== '' && id > 0) yield [kind, id] as const;
  }
}

type NameReads = Pick<Store, 'page' | 'changes'>;

/** Which a former owner may know; undefined if the object never was the account's. */
async function nameWhenLeft(
  store: NameReads,
  { teamId, owner }: Pick<ReportQuestion, 'teamId' | 'owner'>,
  { entity, id, name }: { readonly entity: string; readonly id: number; readonly name: string },
): Promise<string | undefined> {
  const ofObject = { entity, id };
  const leaving = { ...ofObject, formerOwnerId: owner?.id ?? 0, newestFirst: true };
  const [left] = await store.changes(teamId, leaving, 1);
  if (!left) return undefined;
  const since = { ...ofObject, field: 'Name', afterRevision: left.revision - 1 };
  const [renamed] = await store.changes(teamId, since, 1);
  return renamed ? String(renamed.before?.Name ?? '') : name;
}

/** As the question's owner may see them: of what has left it, the last one there. */
async function readNames(
  store: NameReads,
  { teamId, owner }: Pick<ReportQuestion, 'teamId' | 'owner'>,
  kind: string,
  ids: readonly number[],
): Promise<readonly (readonly [id: number, name: string])[]> {
  const entity = entityOf(kind);
  const field = entity.owner?.field ?? 'Name';
  const found = await store.page(entity, teamId, { ids }, idsPerRead, ['Name', field]);
  const names: [number, string][] = [];
  for (const { id, document } of found) {
    const name = String(document.Name ?? '');
    const isSeen =
      owner === undefined ||
      (kind === owner.kind
        ? id === owner.id
        : entity.owner?.entity === owner.kind && ownMember(document, field) === owner.id);
    const shown = isSeen ? name : await nameWhenLeft(store, { teamId, owner }, { entity: kind, id, name });
    if (shown !== undefined) names.push([id, shown]);
  }
  return names;
}

/** Deleted objects have none. */
export async function readObjectNames(
  store: NameReads,
  question: ReportQuestion,
  rows: readonly ReportRow[],
): Promise<Names> {
  const { groups } = question;
  const shown = groups.filter((name): name is DimensionName => !isTimeUnit(name));
  const wanted = new Map<string, Set<number>>();
  for (const [place, name] of shown.entries()) {
    const values = rows.map((row) => row.values[place] ?? []);
    for (const [kind, id] of objectsOf(dimensions[name], values)) {
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
    }
  }
  const names = new Map<string, string>();
  for (const [kind, ids] of wanted) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += idsPerRead) {
      const some = all.slice(from, from + idsPerRead);
      for (const [id, name] of await readNames(store, question, kind, some)) names.set(`${kind}:${id}`, name);
      await turn();
    }
  }
  return names;
}

function dimensionCells(
  name: DimensionName,
  values: readonly (string | number)[],
  names: Names,
): [string, Cell][] {
  const { shows }: Dimension = dimensions[name];
  const [first = '', second = 0] = values;
  if (shows === 'reason') {
    return [
      [name, first],
      [`${name}Help`, helpOfReason(String(first))],
    ];
  }
  if (typeof shows === 'string') return [[name, first]];
  if ('account' in shows) {
    const id = Number(first);
    return [
      [name, id || null],
      [`${name}Name`, names.get(`${shows.account}:${id}`) ?? null],
    ];
  }
  return [
    [shows.kindAs, String(first)],
    [name, Number(second) || null],
    [`${name}Name`, names.get(`${first}:${second}`) ?? null],
  ];
}

export function answerRow({ groups }: ReportQuestion, row: ReportRow, names: Names): AnswerRow {
  let place = 0;
  const cells = groups.flatMap((name): [string, Cell | true][] => {
    if (isTimeUnit(name)) {
      const start: [string, string] = [name, row.time ?? ''];
      return row.isPartial ? [start, ['Partial', true]] : [start];
    }
    place += 1;
    return dimensionCells(name, row.values[place - 1] ?? [], names);
  });
  return {
    ...Object.fromEntries(cells),
    ...row.figures,
    ...(row.before && { Before: row.before }),
  };
}

export function answerTotal(total: NonNullable<ReportAnswer['total']>): AnswerRow {
  return {
    ...total.figures,
    ...(total.before && { Before: total.before }),
  };
}

/** The answer's, and with a comparison the earlier figures. */
export function csvColumns(shown: AnswerShape) {
  const own = answerColumns(shown).map(({ Name }) => ({
    name: Name,
    of(row: AnswerRow): string | number {
      const cell = ownMember(row, Name) ?? '';
      return typeof cell === 'number' ? cell : String(cell);
    },
  }));
  if (!shown.compareTo) return own;
  const before = shown.measures.map((name) => ({
    name: `Before.${name}`,
    of: (row: AnswerRow) => (row.Before as MeasureValues | undefined)?.[name] ?? '',
  }));
  return [...own, ...before];
}

const optional = (schema: TSchema) => Type.Optional(schema);
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

function dimensionMembers([name, row]: readonly [DimensionName, Dimension]): [string, TSchema][] {
  const { shows } = row;
  const description = helpOf(row);
  if (shows === 'text') return [[name, optional(Type.String({ description }))]];
  if (shows === 'number') return [[name, optional(Type.Integer({ description }))]];
  if (shows === 'reason') {
    return [
      [name, optional(Type.String({ description }))],
      [`${name}Help`, optional(Type.String({ description: reasonHelpHelp }))],
    ];
  }
  const named: [string, TSchema] = [
    `${name}Name`,
    optional(nullable(Type.String({ description: nameHelp }))),
  ];
  return [[name, optional(nullable(Type.Integer({ description })))], named];
}

const figureMembers = Object.fromEntries(
  measureRows.map(([name, measure]) => [name, optional(measureSchema(measure))]),
);

/** Members that the question asks for. */
export const rowSchema = closedObject({
  ...Object.fromEntries(
    timeUnits.map((name) => [
      name,
      optional(Type.String({ description: `Start of the ${name}, RFC 3339 with the offset of TimeZone` })),
    ]),
  ),
  Partial: optional(Type.Literal(true, { description: partialHelp })),
  ...Object.fromEntries(dimensionRows.flatMap(dimensionMembers)),
  ...figureMembers,
  Before: optional(closedObject(figureMembers, 'The same figures for the period that CompareTo names')),
});

/** About the compared period. */
export function answerBefore(
  { fromMs, untilMs, unmatched }: NonNullable<ReportAnswer['before']>,
  { zone }: ReportQuestion,
) {
  const times = { From: textInZone(fromMs, zone), To: textInZone(untilMs, zone) };
  return unmatched.length > 0 ? { ...times, Unmatched: unmatched } : times;
}

/** About the compared period. */
export const beforeSchema = closedObject(
  {
    From: Type.String({ description: 'When it begins: RFC 3339 with the offset of TimeZone' }),
    To: Type.String({
      description:
        'When it ends (exclusive). For a period that is not over yet, the same moment as now: of the quarter hour that holds it, the share that has passed counts; of the hour or day (UTC) if only these are kept',
    }),
    Unmatched: optional(
      Type.Array(Type.String(), {
        description:
          'Starts of intervals without a counterpart: an hour that clocks skip or repeat on one of the days, or a day that one of the months does not have. What the compared period counted in these is only in Total. The first 1,000',
      }),
    ),
  },
  'The period that CompareTo names',
);

export const totalSchema = closedObject(
  {
    ...figureMembers,
    Before: optional(closedObject(figureMembers, 'The same for the period that CompareTo names')),
  },
  'Sums of all rows, if Total is 1',
);
