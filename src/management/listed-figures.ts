import { type TSchema, Type } from 'typebox';
import { measureSchema } from '../answers/measure-schema.ts';
import { healthStates } from '../answers/object-health.ts';
import { labelled } from '../answers/wire-schema.ts';
import type { Entity } from '../entities/entity.ts';
import { noCounts, type ShownCounts } from '../reference/counters.ts';
import { type HealthState, healthStateNames, healthStateTexts } from '../reference/health-states.ts';
import type { Measure } from '../reference/measures.ts';
import type { Unit } from '../reference/units.ts';
import { figures } from '../statistics/figure-values.ts';

/** The days (UTC) whose figures lists show, as distances from today. */
export const figureDays = { Today: 0, Yesterday: 1 } as const;
export type FigureDay = keyof typeof figureDays;

/** What is known of an object; a day without counts is absent. */
export interface KnownFigures {
  readonly days: Readonly<Partial<Record<FigureDay, ShownCounts>>>;
  readonly health: HealthState;
}

/** What lists can show, order and filter by besides the object's fields. */
export interface ListedFigure {
  readonly from: keyof KnownFigures;
  readonly schema: TSchema;
  readonly help: string;
  readonly unit?: Unit;
  /** Of codes. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Orders what neither size nor alphabet does. */
  readonly rankOf?: (value: string | number) => number;
  readonly read: (known: KnownFigures) => string | number | null;
}

const sides: readonly (string | undefined)[] = ['supply', 'demand', 'account'];

/** A rate of nothing is null. */
const measured = (day: FigureDay, measure: Measure): ListedFigure['read'] => {
  const none = measure.of(noCounts);
  return ({ days: { [day]: counts } }) => (counts ? measure.of({ ...noCounts, ...counts }) : none);
};

const dayFigures = (Object.keys(figureDays) as FigureDay[]).flatMap((day) =>
  figures.map(([name, measure]): [string, ListedFigure] => {
    const { unit } = measure;
    const help = `${measure.help}, ${day.toLowerCase()} (UTC)`;
    const schema = measureSchema({ ...measure, help });
    const figure = {
      from: 'days',
      schema,
      help,
      ...(unit && { unit }),
      read: measured(day, measure),
    } as const;
    return [`${day}.${name}`, figure];
  }),
);

const healthHelp = 'How it has been in the last hour: the worst state that applies';
const healthFigures: readonly [string, ListedFigure][] = [
  [
    'Health.State',
    {
      from: 'health',
      schema: labelled(healthStates, healthHelp),
      help: healthHelp,
      labels: healthStateTexts,
      rankOf: (state) => -healthStateNames.indexOf(state as HealthState),
      read: ({ health }) => health,
    },
  ],
];

/** By name, in the order of the documentation. Accounts have no health. */
export function listedFigures({ exchange }: Pick<Entity, 'exchange'>): ReadonlyMap<string, ListedFigure> {
  if (!sides.includes(exchange?.side)) return new Map();
  return new Map([...dayFigures, ...(exchange?.side === 'account' ? [] : healthFigures)]);
}

/** Optional members of answers that show chosen fields. */
export const figureMembers = (entity: Pick<Entity, 'exchange'>): Record<string, TSchema> =>
  Object.fromEntries([...listedFigures(entity)].map(([name, { schema }]) => [name, Type.Optional(schema)]));

export const isNumeric = ({ from }: ListedFigure): boolean => from === 'days';
