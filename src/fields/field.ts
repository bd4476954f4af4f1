import type { Static, TSchema } from 'typebox';
import type { Unit } from '../reference/units.ts';
import type { LineCodec, LinePart } from './line-codecs.ts';
import { deliverySections, type SectionName } from './section-names.ts';

/** Whether a client must send a field, may send it, or only ever receives it. */
export type Presence = 'required' | 'optional' | 'derived';

/** A figure of the statistics that objects show. */
export type Figure = 'Qps' | 'TodayRevenue' | 'TodayFillRate' | 'YesterdayRevenue' | 'YesterdayFillRate';

export type AlertMember = 'Firing' | 'FiringSince' | 'Value' | 'Problem' | 'NoData' | 'CheckedAt';

/** A report of the statistics, to which URLs in an entity's objects lead. */
export interface StatisticsPath {
  /** Path below the server's base URL. */
  readonly path: string;
  /** The query parameter that holds the object's ID; absent where the report is about all objects of an account. */
  readonly parameter?: 'zone' | 'feed';
  /** A row for each day and subid instead of each day. */
  readonly isBySubId?: boolean;
  /** Ours: the specification does not list it (reference, "Statistics"). */
  readonly isExtension?: boolean;
}

/** Where a field's value lives or comes from. The store and the management API each read the part that is theirs. */
export type Place =
  /** In the entity's document. */
  | { readonly kind: 'document' }
  /** In the entity's document, made by the server when the object is added, never by a client (reference, A8). */
  | { readonly kind: 'secret' }
  /** In the entity's document, counted from the list's text when that is written. */
  | { readonly kind: 'lineCount'; readonly part: LinePart }
  /** Apart from the document: a text of possibly a million lines. */
  | { readonly kind: 'listText'; readonly codec: LineCodec }
  /** In the table of connections: IDs of entity `to`, which shows the same fact in its field `mirror` (if any). */
  | { readonly kind: 'connection'; readonly to: string; readonly mirror: string | undefined }
  /** The other side's view of connections that only entity `from` writes, by its field `field`. */
  | { readonly kind: 'backReference'; readonly from: string; readonly field: string }
  /** A column of the object's own row. */
  | { readonly kind: 'column'; readonly column: 'id' | 'team_id' | 'status' }
  | { readonly kind: 'statusString' }
  /** The account manager: the object's own where it has no owner, else its owner's. */
  | { readonly kind: 'manager'; readonly part: 'id' | 'name' }
  | { readonly kind: 'ownerName' }
  /** How many objects of entity `of` this object owns. */
  | { readonly kind: 'count'; readonly of: string }
  /** A URL made from the object's values, which leads to a report; regional ones come once for each region. */
  | { readonly kind: 'url'; readonly template: string; readonly report: StatisticsPath }
  | { readonly kind: 'regionUrls'; readonly templates: Readonly<Record<string, string>> }
  /** A figure of the statistics. */
  | { readonly kind: 'statistic'; readonly figure: Figure }
  /** How an alert is, as it was found last. */
  | { readonly kind: 'alertState'; readonly member: AlertMember };

export type Labels = Readonly<Record<string, string>>;

/** One row of an entity's field table: everything that is known of the field, once. */
export interface Field<
  In extends TSchema = TSchema,
  Out extends TSchema = TSchema,
  P extends Presence = Presence,
> {
  readonly presence: P;
  /** Schema of the value in a request. */
  readonly accepts: In;
  /** Schema of the value in an answer. */
  readonly returns: Out;
  /** Value that is stored when `add` omits the field (reference, "omitted on add"). */
  readonly omitted: unknown;
  /** What it says, in a few words; `helpOf` adds what the rest of the row says. */
  readonly help: string;
  /** Where a form shows it; every field of an entity has one. */
  readonly section?: SectionName;
  /** Whether a form shows it only to those who ask for more. */
  readonly isAdvanced?: boolean;
  readonly unit?: Unit;
  /** What each of its codes means, where it holds codes. */
  readonly labels?: Labels;
  /** Macros that may stand in it, where it is a URL. */
  readonly macros?: readonly string[];
  /** A value that validates, for the documentation. */
  readonly example: unknown;
  /** False: left out of the array form (reference, "Resources"). */
  readonly inArray: boolean;
  /** True: only in the answer to a fetch of one object (reference, "Lists"). */
  readonly onlyInSingle: boolean;
  readonly place: Place;
  /** True: a client's own credentials, which the history does not keep. */
  readonly isConfidential?: boolean;
  /** Whether who owns the object sees it by a login of their own (reference, A20); absent = they do not. */
  readonly isForOwner?: true;
  /** True: delivery reads it, though not all of its section (`deliverySections`). */
  readonly isForDelivery?: true;
  /** Entity whose objects the value names by ID: `User`, or an entity's key. */
  readonly references?: string;
  /** From the accepted to the stored form. */
  clean?(value: Static<In>): unknown;
  /** From the stored to the returned form. */
  present?(stored: unknown): Static<Out>;
  /** From the stored form to the shortest that is accepted; absent where the stored form is accepted itself. */
  resend?(stored: unknown): Static<In>;
}

/** What the row of a field may tell any kind of field. */
export interface FieldOptions {
  readonly help: string;
  readonly example?: unknown;
  readonly unit?: Unit;
  readonly isAdvanced?: boolean;
}

const labelsInHelpMax = 6;

/** All that is to be said of a field: its help, what its codes mean unless they are many, its macros. */
export function helpOf({ help, labels = {}, omitted, macros = [] }: Field): string {
  const codes = Object.entries(labels);
  const isShort = codes.length > 0 && codes.length <= labelsInHelpMax;
  const meanings = codes.map(([code, label]) => `${code} = ${label}`).join(', ');
  const standard = typeof omitted === 'number' && omitted !== 0 ? `; omitted = ${omitted}` : '';
  const told = isShort ? `${help}: ${meanings}${standard}` : help;
  return macros.length === 0 ? told : `${told}; may hold {${macros.join('}, {')}}`;
}

function shownAs({ unit, isAdvanced }: Pick<FieldOptions, 'unit' | 'isAdvanced'>) {
  return { ...(unit ? { unit } : {}), ...(isAdvanced ? { isAdvanced } : {}) };
}

/** A field whose value is in the entity's document. */
export interface InDocument {
  readonly place: { readonly kind: 'document' };
}

/** A stored field that a client may send: the base on which the kinds build. */
export function documentField<S extends TSchema>(
  schema: S,
  row: FieldOptions & { omitted: Static<S>; clean?: (value: Static<S>) => Static<S> },
): Field<S, S, 'optional'> & InDocument {
  return {
    presence: 'optional',
    accepts: schema,
    returns: schema,
    omitted: row.omitted,
    help: row.help,
    example: row.example ?? row.omitted,
    inArray: true,
    onlyInSingle: false,
    place: { kind: 'document' },
    ...(row.clean ? { clean: row.clean } : {}),
    ...shownAs(row),
  };
}

/** The same field, which `add` requires. An empty string does not count as sent. */
export function required<F extends Field<TSchema, TSchema, 'optional'>>(
  field: F,
): Omit<F, 'presence'> & { readonly presence: 'required' } {
  const accepts =
    'type' in field.accepts && field.accepts.type === 'string'
      ? { ...field.accepts, minLength: 1 }
      : field.accepts;
  return { ...field, accepts, presence: 'required' };
}

/** The same fields, which who owns the object sees, too: all of them, or those that are named. */
export function forOwner<F extends Readonly<Record<string, Field>>>(
  fields: F,
  names: readonly (keyof F & string)[] = Object.keys(fields),
): F {
  const rows = Object.entries(fields).map(([name, field]) => [
    name,
    names.includes(name) ? { ...field, isForOwner: true } : field,
  ]);
  return Object.fromEntries(rows) as F;
}

/** The same field, which delivery reads though it does not read all of its section. */
export function forDelivery<F extends Field>(field: F): F & { readonly isForDelivery: true } {
  return { ...field, isForDelivery: true };
}

/** Whether delivery reads the field: of other fields, threads and edges are sent nothing. */
export const isForDelivery = ({ isForDelivery, section }: Field): boolean =>
  isForDelivery === true || deliverySections.some((name) => name === section);

/** The same field, left out of the array form. */
export function hiddenInArray<F extends Field>(field: F): F {
  return { ...field, inArray: false };
}

/** The same field with another value stored when `add` omits it, which is then its example too. */
export function omittedAs<F extends Field<TSchema, TSchema, 'optional'>>(
  value: Static<F['accepts']>,
  field: F,
): F {
  return { ...field, omitted: value, example: value };
}

/** A field that clients receive but never send; sent ones are ignored (reference, W5). */
export function derivedField<O extends TSchema, P extends Place>(
  schema: O,
  row: FieldOptions & { place: P; example: Static<O> },
): Field<O, O, 'derived'> & { readonly place: P } {
  return {
    presence: 'derived',
    accepts: schema,
    returns: schema,
    omitted: undefined,
    help: row.help,
    example: row.example,
    inArray: true,
    onlyInSingle: false,
    place: row.place,
    ...shownAs(row),
  };
}
