import type { Plugin } from 'vite';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import { type Field, helpOf } from '../../src/fields/field.ts';
import { sections } from '../../src/fields/section-names.ts';
import { type Dimension, dimensions, timeUnits } from '../../src/reference/dimensions.ts';
import { type Measure, measures } from '../../src/reference/measures.ts';
import { comparisons, periods } from '../../src/reference/periods.ts';
import { answerable } from '../../src/statistics/asking/plan-report.ts';
import type {
  ShownDimension,
  ShownEntity,
  ShownField,
  ShownMeasures,
  ShownReports,
} from '../field-tables.ts';

const id = 'virtual:field-tables';

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

function shownField([name, field]: readonly [string, Field]): ShownField {
  const { presence, section = 'General', isAdvanced = false, unit, labels, omitted, place } = field;
  return {
    name,
    presence,
    section,
    isAdvanced,
    help: field.labels ? field.help : helpOf(field),
    form: formOf(field.accepts as ShownField['form']),
    place: place.kind,
    inArray: field.inArray,
    onlyInSingle: field.onlyInSingle,
    ...(field.isForOwner && { isForOwner: true as const }),
    ...(unit && { unit }),
    ...(labels && { labels }),
    ...(omitted !== undefined && { omitted }),
    ...(field.references && { references: field.references }),
    ...(field.macros && { macros: field.macros }),
    ...(place.kind === 'manager' && place.part === 'id' && { references: 'User' }),
    ...(place.kind === 'connection' && { references: place.to }),
    ...(place.kind === 'backReference' && { references: place.from }),
  };
}

function shownEntity({ key, title, help, wrapper, path, owner, exchange, fields }: Entity): ShownEntity {
  const side = exchange?.side ?? 'label';
  return {
    key,
    title,
    help,
    wrapper,
    path,
    side,
    ...(owner && { owner }),
    fields: Object.entries(fields).map(shownField),
  };
}

const shownMeasures: ShownMeasures = Object.fromEntries(
  Object.entries<Measure>(measures).map(([name, { help, unit, per, isBurden, seenBy }]) => [
    name,
    {
      help,
      ...(unit && { unit }),
      ...(per && { per }),
      ...(isBurden && { isBurden }),
      ...(seenBy && { seenBy }),
    },
  ]),
);

function shownDimension({ help, shows, seenBy }: Dimension): ShownDimension {
  const told = { help, ...(seenBy && { seenBy }) };
  if (typeof shows !== 'object' || !('side' in shows)) return { ...told, shows };
  const objects = entities.filter(({ exchange }) => exchange?.side === shows.side).map(({ key }) => key);
  return { ...told, shows: { objects, kindAs: shows.kindAs } };
}

const shownReports: ShownReports = {
  steps: timeUnits,
  dimensions: Object.fromEntries(
    Object.entries(dimensions).map(([name, dimension]) => [name, shownDimension(dimension)]),
  ),
  periods,
  comparisons,
  answerable,
};

/** Gives the browser the tables of fields as plain data: validators and parsers stay on the server. */
export const fieldTables: Plugin = {
  name: 'field-tables',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load: (source) =>
    source === `\0${id}`
      ? `export const entities = ${JSON.stringify(entities.map(shownEntity))};
         export const measures = ${JSON.stringify(shownMeasures)};
         export const reports = ${JSON.stringify(shownReports)};
         export const sections = ${JSON.stringify(sections)};`
      : undefined,
};
