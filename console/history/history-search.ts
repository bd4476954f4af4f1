import { countOf, dayOf, textOf } from '../parts/address-values.ts';
import { dayStart } from '../parts/zone-text.ts';

export interface HistorySearch {
  /** Days, the last one included, in the zone of whoever looks. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly user?: number | undefined;
  readonly entity?: string | undefined;
  readonly field?: string | undefined;
  /** Of one object of the kind. */
  readonly id?: number | undefined;
  /** Of one bulk change. */
  readonly batch?: string | undefined;
}

/** What an address says, as far as it says something. */
export const readHistorySearch = (sent: Readonly<Record<string, unknown>>): HistorySearch => ({
  from: dayOf(sent.from),
  to: dayOf(sent.to),
  user: countOf(sent.user),
  entity: textOf(sent.entity),
  field: textOf(sent.field),
  id: countOf(sent.id),
  batch: textOf(sent.batch),
});

/** As the API takes it; the days are those of a zone. */
export const historyFilter = ({ from, to, user, entity, field, id, batch }: HistorySearch, zone: string) => ({
  From: from && dayStart(from, zone),
  To: to && dayStart(to, zone, 1),
  UserId: user,
  Entity: entity,
  Field: field,
  Id: entity === undefined ? undefined : id,
  BatchId: batch,
  OncePerBatch: batch === undefined ? 1 : undefined,
});
