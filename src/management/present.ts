import type { Entity } from '../entities/entity.ts';
import type { Field, Place } from '../fields/field.ts';
import { floorInForce } from '../reference/floor-in-force.ts';
import { ownMember, setOwnMember } from '../reference/own-member.ts';
import type { StoredObject, Values } from '../store/interface.ts';
import { sellerStatusOf, shownSeats } from './deals/deal-state.ts';
import { type AnswerForm, fieldsIn } from './schemas.ts';
import { noFigures, type ShownFigures } from './shown-figures.ts';

/** What URLs in answers begin with (reference, W14, W15). */
export interface Links {
  readonly baseUrl: string;
  /** Of console and API, if they have their own host. */
  readonly consoleUrl?: string | undefined;
  readonly regions: readonly { readonly name: string; readonly url: string }[];
}

type Read = (object: StoredObject, links: Links, figures: ShownFigures) => unknown;
type Fill = (object: StoredObject, start: string) => string;

/** Besides fields of the document. */
const templateValues: Readonly<Record<string, (object: StoredObject, start: string) => string>> = {
  BaseUrl: (_, start) => start,
  RegionUrl: (_, start) => start,
  Id: ({ id }) => String(id),
  Username: ({ account }) => encodeURIComponent(account.username),
  StatsAuth: ({ account }) => account.statsAuth,
};

/** Fills names in `{UpperCase}`; `{lower_case}` macros stay. */
function compileTemplate(template: string): Fill {
  const [first = '', ...rest] = template.split(/\{([A-Z]\w*)\}/);
  const steps = rest.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const value =
      ownMember(templateValues, name) ?? ((object: StoredObject) => String(ownMember(object.document, name)));
    return [{ value, after: rest[index + 1] ?? '' }];
  });
  return (object, start) => {
    let url = first;
    for (const { value, after } of steps) url += value(object, start) + after;
    return url;
  };
}

function regionReader(templates: Readonly<Record<string, string>>): Read {
  const fills = Object.entries(templates).map(([name, template]) => ({
    name,
    fill: compileTemplate(template),
  }));
  return (object, { regions }) =>
    regions.map(({ name: Region, url }) => {
      const entry: Record<string, string> = { Region };
      for (const { name, fill } of fills) setOwnMember(entry, name, fill(object, url));
      return entry;
    });
}

function documentReader(name: string, field: Field): Read {
  const { present, omitted } = field;
  if (!present) return ({ document }) => ownMember(document, name) ?? omitted;
  return ({ document }) => present(ownMember(document, name) ?? omitted);
}

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;
type Readers = { readonly [K in Place['kind']]: (place: PlaceOf<K>, name: string, field: Field) => Read };

const columns = {
  id: ({ id }: StoredObject) => id,
  team_id: ({ teamId }: StoredObject) => teamId,
  status: ({ status }: StoredObject) => status,
};

const fromDerived =
  (_: unknown, name: string): Read =>
  ({ derived }) =>
    ownMember(derived, name);

const readers: Readers = {
  document: (_, name, field) => documentReader(name, field),
  secret: (_, name, field) => documentReader(name, field),
  lineCount: (_, name, field) => documentReader(name, { ...field, omitted: 0 }),
  listText: () => () => undefined,
  connection: fromDerived,
  backReference: fromDerived,
  count: fromDerived,
  column: ({ column }) => columns[column],
  statusString:
    () =>
    ({ status }) =>
      status === 0 ? 'Active' : 'Inactive',
  manager: ({ part }) =>
    part === 'id' ? ({ account }) => account.managerId : ({ account }) => account.managerName,
  ownerName:
    () =>
    ({ account }) =>
      account.name,
  url: ({ template }) => {
    const fill = compileTemplate(template);
    return (object, { baseUrl, consoleUrl = baseUrl }) => fill(object, consoleUrl);
  },
  regionUrls: ({ templates }) => regionReader(templates),
  statistic:
    ({ figure }) =>
    (_object, _links, figures) =>
      figures[figure],
  pace:
    ({ member }) =>
    (_object, _links, figures) =>
      figures.pace[member],
  alertState:
    ({ member }) =>
    (_object, _links, figures) =>
      figures[member],
  dealState: ({ member }) => dealReaders[member],
  floorInForce:
    () =>
    ({ document }) =>
      floorInForce(document),
};

const dealReaders: Readonly<Record<PlaceOf<'dealState'>['member'], Read>> = {
  SellerStatus: (object, _links, { deal }) => sellerStatusOf(object, deal),
  BuyerStatus: (_object, _links, { deal }) => shownSeats(deal.seats),
};

function readerOf(name: string, field: Field): Read {
  const make = readers[field.place.kind] as (place: Place, name: string, field: Field) => Read;
  return make(field.place, name, field);
}

/** Stored objects with their figures, in the order of the wire or with named fields, without list texts. */
export function compilePresenter(
  entity: Entity,
  form: AnswerForm | readonly string[],
): (object: StoredObject, links: Links, figures?: ShownFigures) => Values {
  const names = typeof form === 'string' ? fieldsIn(entity, form) : form;
  const rows = names.flatMap((name) => {
    const field = ownMember(entity.fields, name);
    return field && field.place.kind !== 'listText' ? [{ name, read: readerOf(name, field) }] : [];
  });
  return (object, links, figures = noFigures) => {
    const answer: Record<string, unknown> = {};
    for (const { name, read } of rows) setOwnMember(answer, name, read(object, links, figures));
    return answer;
  };
}
