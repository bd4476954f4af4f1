import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import type { Moment } from '../../fields/moment.ts';
import { intMax } from '../../fields/number.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Filter } from '../../store/interface.ts';
import { flag, moment, number, type Parameter, type ParameterValues } from '../endpoint/parameter.ts';
import { type Listing, listingOf, listingParameters } from '../listing/listing.ts';
import { warningsOf } from '../warnings.ts';

const id = (help: string) => number({ help, max: intMax });

function filtersOf({ owner, fields }: Entity): Readonly<Record<string, Parameter<number>>> {
  const isManaged = 'AccManagerId' in fields;
  return {
    ...(owner ? { [owner.field]: id(`Only objects of this ${owner.entity}`) } : {}),
    ...(isManaged ? { AccManagerId: id('Only objects whose account this user manages') } : {}),
  };
}

function warningsParameter(entity: Entity) {
  const warned = warningsOf(entity);
  if (!warned) return {};
  const help = `1 = the object as after an update, under its key, with \`Warnings\`: ${warned.help}`;
  return { Warnings: flag(help) };
}

function textParameter(entity: Entity): Readonly<Record<string, Parameter<number>>> {
  const name = listTextOf(entity)?.name;
  if (name === undefined) return {};
  return { WithoutText: flag(`1 = the object with this \`Id\` without \`${name}\`, which can be very long`) };
}

/** Reference, "Resources". */
export function fetchParameters(entity: Entity) {
  return {
    Id: id(`ID of one ${entity.title}, which is then returned in full`),
    ...filtersOf(entity),
    ActiveOnly: flag('1 = only active objects'),
    Limit: id('Maximum number of objects to return; 0 = all'),
    ...warningsParameter(entity),
    ...listingParameters(entity),
    AfterId: id('Only objects with a higher ID, to continue from the last one'),
    AsOf: moment(
      'The object with this `Id` as it was at a time (or at the end of a day, UTC); URLs and credentials are the current ones',
    ),
    ...textParameter(entity),
  };
}

export interface Fetch {
  readonly filter: Filter;
  /** 0 = all. */
  readonly limit: number;
  /** Whether to add why connected objects can never match. */
  readonly hasWarnings: boolean;
  /** Beyond filters, for an array. */
  readonly listing: Listing | undefined;
  /** Leaves out a list's text. */
  readonly isWithoutText: boolean;
  /** The object as it was then; milliseconds since 1970. */
  readonly asOfMs?: number;
}

function readAsOf(moment: Moment | undefined, id: number, nowMs: number): { asOfMs?: number } {
  if (!moment) return {};
  const faults: Fault[] = [];
  if (id === 0) {
    const Message = 'is required with AsOf, which shows one object as it was';
    faults.push({ Path: 'Id', Code: 'required', Message });
  }
  if (moment.fromMs > nowMs) {
    faults.push({ Path: 'AsOf', Code: 'out_of_range', Message: 'must not be in the future' });
  }
  if (faults.length > 0) throw invalid(faults);
  return { asOfMs: moment.untilMs - 1 };
}

/** `nowMs`: milliseconds since 1970. */
export function fetchOf(
  entity: Entity,
  {
    Id = 0,
    ActiveOnly,
    Limit = 0,
    AfterId = 0,
    AsOf,
    Fields,
    Sort,
    Filter,
    Query,
    Cursor,
    ...others
  }: ParameterValues<ReturnType<typeof fetchParameters>>,
  nowMs: number,
): Fetch {
  const filters: Readonly<Record<string, number | undefined>> = others;
  const { owner } = entity;
  const filter = {
    id: Id,
    ownerId: (owner && ownMember(filters, owner.field)) || 0,
    managerId: filters.AccManagerId ?? 0,
    activeOnly: ActiveOnly === 1,
    afterId: AfterId,
  };
  const hasWarnings = filters.Warnings === 1;
  if (hasWarnings && (Id === 0 || AsOf)) {
    const Message = 'are available only for one object as it is now; send it with Id and without AsOf';
    throw invalid([{ Path: 'Warnings', Code: 'contradiction', Message }]);
  }
  const listing = listingOf(entity, { Fields, Sort, Filter, Query, Cursor }, filter);
  const isWithoutText = filters.WithoutText === 1;
  const times = readAsOf(AsOf, Id, nowMs);
  return { filter, limit: Limit, hasWarnings, listing, isWithoutText, ...times };
}
