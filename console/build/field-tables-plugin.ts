import type { Plugin } from 'vite';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import { teamSettings } from '../../src/entities/team-settings.ts';
import type { Field } from '../../src/fields/field.ts';
import { sections } from '../../src/fields/section-names.ts';
import { isNumeric, listedFigures } from '../../src/management/listed-figures.ts';
import { type Dimension, dimensions, timeUnits } from '../../src/reference/dimensions.ts';
import { type Measure, measureRows } from '../../src/reference/measures.ts';
import { comparisons, periods } from '../../src/reference/periods.ts';
import { answerable } from '../../src/statistics/asking/plan-report.ts';
import type {
  ShownDimension,
  ShownEntity,
  ShownField,
  ShownFigure,
  ShownMeasure,
  ShownReports,
} from '../field-tables.ts';
import { plainHelpOf } from './plain-help.ts';

/** The bounds and values of a schema, without what only validators need. */
function formOf(schema: ShownField['form']): ShownField['form'] {
  const { type, enum: codes, minimum, maximum, maxLength, format, items, properties = {} } = schema;
  const form = {
    type,
    enum: codes,
    minimum,
    maximum,
    maxLength,
    format,
    ...(items && { items: formOf(items) }),
    ...(Object.keys(properties).length > 0 && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, formOf(of)])),
    }),
  };
  return form;
}

function shownField(
  [name, field]: readonly [string, Field],
  fields: Readonly<Record<string, Field>>,
): ShownField {
  const { presence, section = 'General', isAdvanced = false, unit, labels, omitted, place } = field;
  return {
    name,
    presence,
    section,
    isAdvanced,
    help: plainHelpOf(name, field, fields),
    form: formOf(field.accepts as ShownField['form']),
    place: place.kind,
    inArray: field.inArray,
    onlyInSingle: field.onlyInSingle,
    ...(field.isWriteOnly && { isWriteOnly: true as const }),
    ...(field.isConfidential && { isConfidential: true as const }),
    ...(field.isForOwner && { isForOwner: true as const }),
    ...(field.phrase && { phrase: field.phrase }),
    ...(unit && { unit }),
    ...(labels && { labels }),
    ...(omitted !== undefined && { omitted }),
    ...(field.onlyIf && { onlyIf: field.onlyIf }),
    ...(field.references && { references: field.references }),
    ...(field.macros && { macros: field.macros }),
    ...(place.kind === 'manager' && place.part === 'id' && { references: 'User' }),
    ...(place.kind === 'connection' && { references: place.to }),
    ...(place.kind === 'backReference' && { references: place.from }),
  };
}

/** What people know an object by, and what its prices mean. */
const names = ['Id', 'Name', 'Code', 'Username', 'Mail', 'Status', 'StatusString', 'Currency'];

function shownEntity({
  key,
  title,
  help,
  wrapper,
  path,
  owner,
  exchange,
  warnings,
  fields,
}: Entity): ShownEntity {
  const side = exchange?.side ?? 'label';
  const known = [...names, ...(owner ? [owner.field, `${owner.entity}Name`] : [])];
  return {
    key,
    title,
    help,
    wrapper,
    path,
    side,
    ...(owner && { owner }),
    knownBy: known.filter((name) => Object.hasOwn(fields, name)),
    ...(warnings && { hasSettingWarnings: true as const }),
    ...(warnings?.some(({ isBlocking }) => isBlocking) && { isServing: true as const }),
  };
}

function shownDimension({ help, shows, seenBy, unknown }: Dimension): ShownDimension {
  const told = { help, ...(seenBy && { seenBy }), ...(unknown && { unknown }) };
  if (typeof shows !== 'object' || !('side' in shows)) return { ...told, shows };
  const objects = entities.filter(({ exchange }) => exchange?.side === shows.side).map(({ key }) => key);
  return { ...told, shows: { objects, kindAs: shows.kindAs } };
}

const shownMeasure = ({ help, unit, per, isBurden, seenBy }: Measure): ShownMeasure => ({
  help,
  ...(unit && { unit }),
  ...(per && { per }),
  ...(isBurden && { isBurden }),
  ...(seenBy && { seenBy }),
});

const shownReports: ShownReports = {
  steps: timeUnits,
  dimensions: Object.fromEntries(
    Object.entries(dimensions).map(([name, dimension]) => [name, shownDimension(dimension)]),
  ),
  periods,
  comparisons,
};

const fields = [...entities, { key: 'Team', fields: teamSettings }].map(({ key, fields: rows }) => [
  key,
  Object.entries<Field>(rows).map((row) => shownField(row, rows)),
]);

const sides: readonly ShownEntity['side'][] = [
  ...new Set(entities.map((entity) => shownEntity(entity).side)),
];
const figuresBySide = sides.map((side) => ({
  side,
  figures: listedFigures({ exchange: entities.find(({ exchange }) => exchange?.side === side)?.exchange }),
}));
const figures = [...new Map(figuresBySide.flatMap(({ figures: all }) => [...all]))].map(
  ([name, figure]): ShownFigure => ({
    name,
    help: figure.help,
    form: { type: isNumeric(figure) ? 'number' : 'string' },
    ...(figure.unit && { unit: figure.unit }),
    ...(figure.labels && { labels: figure.labels }),
    sides: figuresBySide.flatMap(({ side, figures: all }) => (all.has(name) ? [side] : [])),
  }),
);

const modules: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  [
    'virtual:field-tables',
    {
      entities: entities.map(shownEntity),
      measures: Object.fromEntries(measureRows.map(([name, measure]) => [name, shownMeasure(measure)])),
      reports: shownReports,
    },
  ],
  // The others apart, as they are most of all, and the first screen needs none.
  ['virtual:fields', { fields, figures, sections }],
  ['virtual:answerable', { answerable }],
]);

/** The source of a virtual module; undefined for what is none. */
export function tablesAt(id: string): string | undefined {
  const values = modules.get(id);
  return (
    values &&
    Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n')
  );
}

/** Gives the browser the tables of fields as plain data: validators and parsers stay on the server. */
export const fieldTables: Plugin = {
  name: 'field-tables',
  resolveId: (source) => (modules.has(source) ? `\0${source}` : undefined),
  load: (source) => (source.startsWith('\0') ? tablesAt(source.slice(1)) : undefined),
};
