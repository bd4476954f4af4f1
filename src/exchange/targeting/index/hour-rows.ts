import { hourOfWeek } from '../../../shared/zone-clock.ts';
import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import { isOpen } from '../hours.ts';
import type { HoursRule, OpenHours } from '../rule.ts';
import type { RowChange } from './row-change.ts';

/** Which objects are closed. */
export interface HourRows {
  /** For an opportunity, by index: 1 = closed; undefined if nobody has hours. */
  closedFor(opportunity: Opportunity): Uint8Array | undefined;
  after(change: RowChange): CooperativeTask<HourRows>;
}

const quarterMs = 900_000;
/** Where the viewer's clock is unknown, or nobody goes by it. */
const noViewer = -1;

/** Clocks change at quarter hours. So within one, only the hour that the viewer's clock shows makes a difference. */
function hourRowsOf(rule: HoursRule, rows: readonly (OpenHours | undefined)[]): HourRows {
  const restricted = rows.flatMap((open, place) => (open ? [{ open, place }] : []));
  const hasViewers = restricted.some(({ open }) => open.areViewers);
  /** By the viewer's hour. */
  const closed = new Map<number, Uint8Array>();
  let quarter = Number.NaN;
  const find = (timeMs: number, viewerHour: number): Uint8Array => {
    const found = new Uint8Array(rows.length);
    for (const { open, place } of restricted) {
      const hour = open.areViewers && viewerHour !== noViewer ? viewerHour : undefined;
      if (!isOpen(open, timeMs, hour)) found[place] = 1;
    }
    closed.set(viewerHour, found);
    return found;
  };
  return {
    closedFor(opportunity) {
      if (restricted.length === 0) return undefined;
      const { timeMs } = opportunity;
      const now = Math.floor(timeMs / quarterMs);
      if (now !== quarter) closed.clear();
      quarter = now;
      const viewerMs = hasViewers ? rule.viewerOffsetMs(opportunity) : undefined;
      const viewerHour = viewerMs === undefined ? noViewer : hourOfWeek(timeMs + viewerMs);
      return closed.get(viewerHour) ?? find(timeMs, viewerHour);
    },
    *after({ size, kept, added }) {
      const next = new Array<OpenHours | undefined>(size).fill(undefined);
      for (const { from, to, length } of kept) {
        for (let at = 0; at < length; at += 1) next[to + at] = rows[from + at];
      }
      yield;
      for (const { place, object } of added) next[place] = rule.hoursOf(object);
      return hourRowsOf(rule, next);
    },
  };
}

export const emptyHourRows = (rule: HoursRule): HourRows => hourRowsOf(rule, []);
