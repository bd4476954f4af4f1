import type { Static, TSchema } from 'typebox';
import type { Unit } from '../reference/units.ts';
import type { LineCodec, LinePart } from './line-codecs.ts';
import { deliverySections, type SectionName } from './section-names.ts';

/** Derived fields are only received. */
export type Presence = 'required' | 'optional' | 'derived';

/** Shown by objects. */
export type Figure =
  | 'Qps'
  | 'TodayRevenue'
  | 'TodayFillRate'
  | 'YesterdayRevenue'
  | 'YesterdayFillRate'
  | DealFigure;

/** Since the deal was made. */
export type DealFigure = 'Delivered' | 'BidRate' | 'WinRate';

export type AlertMember = 'Firing' | 'FiringSince' | 'Value' | 'Problem' | 'NoData' | 'CheckedAt';

/** A report that URLs in objects lead to. */
export interface StatisticsPath {
  /** Below the server's base URL. */
  readonly path: string;
  /** For the object's ID; absent if the report covers all objects of an account. */
  readonly parameter?: 'zone' | 'feed';
  /** One row per day and subid. */
  readonly isBySubId?: boolean;
  /** Not in the specification (reference, "Statistics"). */
  readonly isExtension?: boolean;
}

/** Where a value lives or comes from; store and management API each read their part. */
export type Place =
  /** In the entity's document. */
  | { readonly kind: 'document' }
  /** In the document; made by the server when the object is added (reference, A8). */
  | { readonly kind: 'secret' }
  /** In the document; counted when the list's text is written. */
  | { readonly kind: 'lineCount'; readonly part: LinePart }
  /** Apart from the document, because it may have a million lines. */
  | { readonly kind: 'listText'; readonly codec: LineCodec }
  /** In the table of connections; entity `to` shows it in its field `mirror` (if any). */
  | { readonly kind: 'connection'; readonly to: string; readonly mirror: string | undefined }
  /** Connections that entity `from` writes by its field `field`. */
  | { readonly kind: 'backReference'; readonly from: string; readonly field: string }
  | { readonly kind: 'column'; readonly column: 'id' | 'team_id' | 'status' }
  | { readonly kind: 'statusString' }
  /** The object's own, or its owner's. */
  | { readonly kind: 'manager'; readonly part: 'id' | 'name' }
  | { readonly kind: 'ownerName' }
  /** Objects of entity `of` that this object owns. */
  | { readonly kind: 'count'; readonly of: string }
  /** Leads to a report; regional ones exist once per region. */
  | { readonly kind: 'url'; readonly template: string; readonly report: StatisticsPath }
  | { readonly kind: 'regionUrls'; readonly templates: Readonly<Record<string, string>> }
  | { readonly kind: 'statistic'; readonly figure: Figure }
  | { readonly kind: 'alertState'; readonly member: AlertMember }
  /** Of a deal's pushes. */
  | { readonly kind: 'dealState'; readonly member: 'SellerStatus' | 'BuyerStatus' }
  /** Of a floor rule. */
  | { readonly kind: 'floorInForce' }
  /** Of limits that are spread over time. */
  | { readonly kind: 'pace'; readonly member: 'Pace' | 'ForecastUnits' | 'ForecastEnd' };

/**
 * Another field of the entity, and the values of it with which a field has an effect: some, or all but that of `add`;
 * `or` names one more field that is enough.
 */
export type OnlyIf =
  | { readonly field: string; readonly values: readonly (number | string)[] }
  | { readonly field: string; readonly isSet: true; readonly or?: string };

export type Labels = Readonly<Record<string, string>>;

/** A row of an entity's field table: all that is known of the field. */
export interface Field<
  In extends TSchema = TSchema,
  Out extends TSchema = TSchema,
  P extends Presence = Presence,
> {
  readonly presence: P;
  readonly accepts: In;
  readonly returns: Out;
  /** Stored if `add` omits the field (reference, "omitted on add"). */
  readonly omitted: unknown;
  /** In a few words; `helpOf` adds the rest. */
  readonly help: string;
  /** The same for people who look at a form, where `help` speaks of codes and of what is sent. */
  readonly explanation?: string;
  /** Where a form shows it; every field of an entity has one. */
  readonly section?: SectionName;
  /** Hidden in forms unless asked for. */
  readonly isAdvanced?: boolean;
  readonly unit?: Unit;
  /** What its codes mean. */
  readonly labels?: Labels;
  /** Allowed in it, if it is a URL. */
  readonly macros?: readonly string[];
  /** When it has an effect at all; absent = always. Forms hide it otherwise, unless it is set. */
  readonly onlyIf?: OnlyIf;
  /** Neighbours that have one are read, one after another, as a sentence: `{}` is the value, in forms its input. */
  readonly phrase?: string;
  /** Valid, for the documentation. */
  readonly example: unknown;
  /** False: not in the array form (reference, "Resources"). */
  readonly inArray: boolean;
  /** True: only in answers with a single object (reference, "Lists"). */
  readonly onlyInSingle: boolean;
  readonly place: Place;
  /** True: a client's credentials, which the history leaves out. */
  readonly isConfidential?: boolean;
  /** True: no answer shows it. */
  readonly isWriteOnly?: true;
  /** Whether the owner's own login sees it (reference, A20); absent = no. */
  readonly isForOwner?: true;
  /** True: delivery reads it, though not all of its section (`deliverySections`). */
  readonly isForDelivery?: true;
  /** `User`, or an entity's key. */
  readonly references?: string;
  /** From the accepted to the stored form. */
  clean?(value: Static<In>): unknown;
  /** From the stored to the returned form. */
  present?(stored: unknown): Static<Out>;
  /** From the stored to the shortest accepted form; absent if that is the stored one. */
  resend?(stored: unknown): Static<In>;
}

/** For any kind of field. */
export interface FieldOptions {
  readonly help: string;
  readonly explanation?: string;
  readonly example?: unknown;
  readonly unit?: Unit;
  readonly isAdvanced?: boolean;
  readonly phrase?: string;
}

const labelsInHelpMax = 6;

/** Its help, its codes unless they are many, its macros. */
export function helpOf({ help, labels = {}, omitted, macros = [] }: Field): string {
  const codes = Object.entries(labels);
  const isShort = codes.length > 0 && codes.length <= labelsInHelpMax;
  const meanings = codes.map(([code, label]) => `${code} = ${label}`).join(', ');
  const standard = typeof omitted === 'number' && omitted !== 0 ? `; omitted = ${omitted}` : '';
  const told = isShort ? `${help}: ${meanings}${standard}` : help;
  return macros.length === 0 ? told : `${told}; may contain {${macros.join('}, {')}}`;
}

function shownAs({ unit, isAdvanced, explanation, phrase }: FieldOptions) {
  return {
    ...(phrase ? { phrase } : {}),
    ...(unit ? { unit } : {}),
    ...(isAdvanced ? { isAdvanced } : {}),
    ...(explanation ? { explanation } : {}),
  };
}

export interface InDocument {
  readonly place: { readonly kind: 'document' };
}

/** A stored field that clients may send; other kinds build on it. */
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

/** `add` requires it. An empty string does not count as sent. */
export function required<F extends Field<TSchema, TSchema, 'optional'>>(
  field: F,
): Omit<F, 'presence'> & { readonly presence: 'required' } {
  const accepts =
    'type' in field.accepts && field.accepts.type === 'string'
      ? { ...field.accepts, minLength: 1 }
      : field.accepts;
  return { ...field, accepts, presence: 'required' };
}

/** Shown to the object's owner: all of them, or the named ones. */
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

/** Without effect unless another field of the entity has one of these values. */
export const onlyIf = <F extends Field>(
  name: string,
  values: readonly (number | string)[],
  field: F,
): F & { readonly onlyIf: OnlyIf } => ({ ...field, onlyIf: { field: name, values } });

/** Without effect while another field of the entity is empty: a list, a URL, an amount. */
export const onlyIfSet = <F extends Field>(
  name: string,
  field: F,
  or?: string,
): F & { readonly onlyIf: OnlyIf } => ({
  ...field,
  onlyIf: { field: name, isSet: true, ...(or !== undefined && { or }) },
});

/** Read by delivery, unlike the rest of its section. */
export function forDelivery<F extends Field>(field: F): F & { readonly isForDelivery: true } {
  return { ...field, isForDelivery: true };
}

/** Threads and edges are sent no other fields. */
export const isForDelivery = ({ isForDelivery, section }: Field): boolean =>
  isForDelivery === true || deliverySections.some((name) => name === section);

/** No answer shows it; who leaves it out when updating keeps it. */
export function writeOnly<F extends Field>(field: F): F & { readonly isWriteOnly: true } {
  return { ...field, isWriteOnly: true };
}

export function hiddenInArray<F extends Field>(field: F): F {
  return { ...field, inArray: false };
}

/** The value is its example, too. */
export function omittedAs<F extends Field<TSchema, TSchema, 'optional'>>(
  value: Static<F['accepts']>,
  field: F,
): F {
  return { ...field, omitted: value, example: value };
}

/** Received but never sent; sent values are ignored (reference, W5). */
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
