import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import type { Field } from '../../fields/field.ts';
import type { LinePart } from '../../fields/line-codecs.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject, Values } from '../../store/interface.ts';
import { compilePresenter, type Links } from '../present.ts';
import type { AnswerForm } from '../schemas.ts';

type Row = readonly [name: string, field: Field];

const fieldsShownInUpdate = 3;

function accepted(entity: Entity): Row[] {
  return Object.entries(entity.fields).filter(([, { presence }]) => presence !== 'derived');
}

function isTelling({ presence, example, omitted }: Field): boolean {
  return presence === 'required' || JSON.stringify(example) !== JSON.stringify(omitted);
}

function examplesOf(rows: readonly Row[]): Values {
  return Object.fromEntries(rows.map(([name, { example }]) => [name, example]));
}

/** Required fields, and those whose example differs from an omitted value. */
export function addExample(entity: Entity): Values {
  return examplesOf(accepted(entity).filter(([, field]) => isTelling(field)));
}

/** The ID and a few fields. */
export function updateExample(entity: Entity): Values {
  const rows = accepted(entity).filter(([name, field]) => isTelling(field) && name !== entity.owner?.field);
  const textName = listTextOf(entity)?.name;
  const text = rows.filter(([name]) => name === textName);
  return { Id: 1, ...examplesOf(rows.slice(0, fieldsShownInUpdate)), ...examplesOf(text) };
}

function linesOfExample(entity: Entity, counted: LinePart): number {
  const codec = listTextOf(entity)?.codec;
  return codec?.part(codec.example) === counted ? 1 : 0;
}

function storedExample(entity: Entity, field: Field): unknown {
  if (field.place.kind === 'lineCount') return linesOfExample(entity, field.place.part);
  return field.clean ? field.clean(field.example as never) : field.example;
}

function textExample(entity: Entity, name: string, standard: string): string {
  return String(ownMember(entity.fields, name)?.example ?? standard);
}

function storedObject(entity: Entity): StoredObject {
  const rows = Object.entries(entity.fields);
  const kept = rows.map(([name, field]) => [name, storedExample(entity, field)] as const);
  const derived = rows.map(([name, { example }]) => [name, example] as const);
  return {
    id: 1,
    teamId: 1,
    status: 0,
    revision: 1,
    document: Object.fromEntries(kept),
    derived: Object.fromEntries(derived),
    account: {
      name: 'Example Media',
      username: textExample(entity, 'Username', 'example'),
      statsAuth: textExample(entity, 'StatsAuth', 'c2VjcmV0LWV4YW1wbGUtb25seS0wMDAw'),
      managerId: 1,
      managerName: 'Ada Byron',
    },
  };
}

/** Made by the code that makes answers. */
export function answerExample(entity: Entity, form: AnswerForm, links: Links): Values {
  const texts = accepted(entity).filter(([, { onlyInSingle }]) => onlyInSingle && form === 'single');
  return { ...compilePresenter(entity, form)(storedObject(entity), links), ...examplesOf(texts) };
}
