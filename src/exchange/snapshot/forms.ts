import type { ExchangeKind } from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { ConfigurationObject } from '../configuration.ts';

type Values = Readonly<Record<string, unknown>>;

/** An entity's stored members, and the values that most objects have. */
export interface Form {
  readonly number: number;
  readonly entity: ExchangeKind;
  readonly names: readonly string[];
  /** Settings of an object unless it stores others. */
  readonly usual: Values;
  /** As JSON, by place in `names`; undefined for an undefined value. */
  readonly usualTexts: readonly (string | undefined)[];
  readonly fields: readonly string[];
}

function isSame(names: readonly string[], values: Values): boolean {
  const own = Object.keys(values);
  return own.length === names.length && own.every((name, place) => name === names[place]);
}

/** The most common value, as JSON; undefined for an undefined value. */
function mostCommon(name: string, sample: readonly Values[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const values of sample) {
    const text = JSON.stringify(ownMember(values, name));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  let best: string | undefined;
  for (const [text, count] of counts) if (count > (counts.get(best) ?? 0)) best = text;
  return best;
}

function formOf(number: number, like: ConfigurationObject, sample: readonly ConfigurationObject[]): Form {
  const { entity, settings, connections } = like;
  const names = Object.keys(settings);
  const alike = sample.filter((one) => one.entity === entity && isSame(names, one.settings));
  const usualTexts = names.map((name) =>
    mostCommon(
      name,
      alike.map((one) => one.settings as Values),
    ),
  );
  return {
    number,
    entity,
    names,
    usualTexts,
    usual: usualOf(names, usualTexts),
    fields: Object.keys(connections),
  };
}

function usualOf(names: readonly string[], texts: Form['usualTexts']): Values {
  return Object.fromEntries(
    names.map((name, place) => {
      const text = texts[place];
      return [name, text === undefined ? undefined : (JSON.parse(text) as unknown)];
    }),
  );
}

/** As sent to other threads. */
export type SharedForm = Omit<Form, 'usual'>;

export function sharedForm({ usual: _, ...form }: Form): SharedForm {
  return form;
}

export function formFromShared(form: SharedForm): Form {
  return { ...form, usual: usualOf(form.names, form.usualTexts) };
}

/** There are few: an entity's settings have one form. */
export function createForms() {
  const forms: Form[] = [];
  const fits = ({ entity, settings, connections }: ConfigurationObject, form: Form) =>
    form.entity === entity && isSame(form.names, settings) && isSame(form.fields, connections);
  let last: Form | undefined;
  return {
    all: forms as readonly Form[],
    of(object: ConfigurationObject, sample: readonly ConfigurationObject[]): Form {
      if (last && fits(object, last)) return last;
      last = forms.find((form) => fits(object, form));
      if (!last) {
        last = formOf(forms.length, object, sample);
        forms.push(last);
      }
      return last;
    },
  };
}
