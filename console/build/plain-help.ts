import { type Field, helpOf } from '../../src/fields/field.ts';
import { titleOf, titles } from '../../src/reference/titles.ts';

type Wordings = readonly (readonly [form: RegExp, words: string])[];

/** Names of the API that no plain word is like. */
const nameForm = /(?<![\w.{])[A-Z][a-z]+(?:[A-Z][a-z\d]*)+(?![\w}])/g;

/** What a form says of a switch in place of 1 and 0. */
const switched: Wordings = [
  [/^1 = /, ''],
  [/\b1 = /g, 'on: '],
  [/\b0 = (?=[a-z])/g, 'off: '],
];
/** A form shows the names of objects. */
const named: Wordings = [
  [/^IDs? of the /, 'The '],
  [/^IDs? of /, ''],
];
const plain: Wordings = [
  [/"" = /g, 'empty = '],
  [/,? a? ?code of \/api[\w/]+/, ''],
];

const isSwitch = ({ accepts, labels }: Field) =>
  labels === undefined && 'enum' in accepts && JSON.stringify(accepts.enum) === '[0,1]';

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The help of a field for who looks at a form: other fields by their titles, switches in words, objects rather than
 * their IDs. `""` if it would only repeat the title.
 */
export function plainHelpOf(name: string, field: Field, fields: Readonly<Record<string, Field>>): string {
  const isObject = field.references !== undefined || ['manager', 'backReference'].includes(field.place.kind);
  const wordings = [...(isSwitch(field) ? switched : []), ...(isObject ? named : []), ...plain];
  const whole = field.explanation ?? (field.labels ? field.help : helpOf(field));
  const text = wordings.reduce((left, [form, words]) => left.replace(form, words), whole);
  const told = text.replace(nameForm, (other) =>
    Object.hasOwn(fields, other) || Object.hasOwn(titles, other) ? `“${titleOf(other)}”` : other,
  );
  if (told === titleOf(name)) return '';
  return isSwitch(field) ? capitalized(told) : told;
}
