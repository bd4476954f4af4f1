import { buyerStatuses, type SeatStatus } from '../../protocols/deals-api/buyer-seat.ts';
import type { SellerStatus } from '../../protocols/deals-api/deal.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import type { StoredObject } from '../../store/interface.ts';

const [active, paused, pending, complete, archived] = [0, 1, 2, 3, 4] as const;

/** What a push has told the buyer, and what the buyer answered; stored as the sending's `result`. */
export interface PushResult {
  readonly sellerStatus: SellerStatus;
  /** Absent if the answer did not say it. */
  readonly seats?: readonly SeatStatus[];
}

/** Of a deal's pushes. */
export interface DealState {
  readonly nowMs: number;
  /** A buyer was told that it is archived. */
  readonly isArchived: boolean;
  readonly seats: readonly SeatStatus[];
}

/** `results`: the oldest first. */
export function dealStateOf(results: readonly string[], nowMs: number): DealState {
  const pushes = results.map((result) => JSON.parse(result) as PushResult);
  return {
    nowMs,
    isArchived: pushes.some(({ sellerStatus }) => sellerStatus === archived),
    seats: pushes.findLast(({ seats }) => seats)?.seats ?? [],
  };
}

/** Milliseconds since 1970; undefined if open. */
export function dealTimes({ document: { StartTime, EndTime, TimeZone } }: Pick<StoredObject, 'document'>) {
  const zone = String(TimeZone || 'UTC');
  return {
    startMs: zonedTime(String(StartTime ?? ''), zone)?.startMs,
    endMs: zonedTime(String(EndTime ?? ''), zone)?.endMs,
  };
}

/** An inactive deal that has ended is archived, and one that a buyer knows as archived stays so. */
export function sellerStatusOf(
  object: Pick<StoredObject, 'document' | 'status'>,
  { nowMs, isArchived }: Omit<DealState, 'seats'>,
): SellerStatus {
  const { startMs, endMs } = dealTimes(object);
  const hasEnded = endMs !== undefined && endMs < nowMs;
  const isInactive = object.status === 1;
  if (isArchived || (hasEnded && isInactive)) return archived;
  if (isInactive) return paused;
  if (hasEnded) return complete;
  return startMs !== undefined && startMs > nowMs ? pending : active;
}

/** As answers have it. */
export const shownSeats = (seats: readonly SeatStatus[]) =>
  seats.map(({ seat: Seat, status: Status }) => ({ Seat, Status, StatusString: buyerStatuses[Status] }));
