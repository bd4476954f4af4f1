import type { Plugin } from 'vite';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { type Field, helpOf } from '../../fields/field.ts';
import { sections } from '../../fields/section-names.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';

const id = 'virtual:field-tables';

/** The bounds and values of a schema, without what only validators need. */
function formOf({ accepts }: Field): ShownField['form'] {
  const { type, enum: codes, minimum, maximum, minLength, maxLength, items } = accepts as ShownField['form'];
  const form = { type, enum: codes, minimum, maximum, minLength, maxLength, items: items && { type: items.type } };
  return JSON.parse(JSON.stringify(form));
}

function shownField([name, field]: readonly [string, Field]): ShownField {
  const { presence, section = 'General', isAdvanced = false, unit, labels, omitted, place } = field;
  return {
    ...{ name, presence, section, isAdvanced, help: helpOf(field), form: formOf(field), place: place.kind },
    ...{ inArray: field.inArray, onlyInSingle: field.onlyInSingle },
    ...(unit && { unit }),
    ...(labels && { labels }),
    ...(omitted !== undefined && { omitted }),
    ...(field.references && { references: field.references }),
    ...(field.macros && { macros: field.macros }),
    ...(place.kind === 'connection' && { references: place.to }),
    ...(place.kind === 'backReference' && { references: place.from }),
  };
}

function shownEntity({ key, title, help, wrapper, path, owner, exchange, fields }: Entity): ShownEntity {
  const side = exchange?.side ?? 'label';
  return {
    ...{ key, title, help, wrapper, path, side },
    ...(owner && { owner }),
    fields: Object.entries(fields).map(shownField),
  };
}

/** Gives the browser the tables of fields as plain data: validators and parsers stay on the server. */
export const fieldTables: Plugin = {
  name: 'field-tables',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load: (source) =>
    source === `\0${id}`
      ? `export const entities = ${JSON.stringify(entities.map(shownEntity))};
         export const sections = ${JSON.stringify(sections)};`
      : undefined,
};
