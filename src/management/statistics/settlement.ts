import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { textInZone } from '../../statistics/asking/zones.ts';
import { dayOf, hourMs, quarterMs } from '../../statistics/days.ts';
import type { StatisticsStore } from '../../store/statistics/interface.ts';

const minuteMs = 60_000;
/** A process silent for this long is no longer waited for. */
const silentMs = hourMs;
const silentMax = 20;

/** Up to when figures are final, and what to know about them. */
export const settlementSchema = {
  SettledUntil: Type.String({
    description:
      'Figures before this time are final, except those in ChangedAfterSettled; in TimeZone. Earlier ads can no longer be shown, and every process has delivered what it counted',
  }),
  SettledWithout: Type.Optional(
    Type.Array(
      closedObject({
        Process: Type.String({ description: 'ID of its part of the outbox' }),
        Until: Type.String({
          description: 'Everything it counted before this time has arrived; in TimeZone',
        }),
      }),
      {
        description:
          'Processes that have been silent for an hour and may still have events: SettledUntil no longer waits for them. At most 20, for a week',
      },
    ),
  ),
  ChangedAfterSettled: Type.Optional(
    Type.Array(
      closedObject({
        Hour: Type.String({
          description: 'Start of an hour (UTC) within the requested times; in TimeZone',
        }),
        Time: Type.String({ description: 'When it last changed; in TimeZone' }),
      }),
      {
        description:
          'Hours of the team that were already settled when late events of their auctions came, for example clicks; the last 100 at most',
      },
    ),
  ),
};

/** How far counts have arrived, and how long ads may still be shown. */
export interface SettlementState {
  readonly nowMs: number;
  readonly wholeUntilMs: number;
  /** Minutes after an auction in which its ads may still count. */
  readonly lasting: number;
}

/** By the names of `settlementSchema`. */
export async function settlement(
  statistics: Pick<StatisticsStore, 'shippedProcesses' | 'lateHours'>,
  { teamId, fromMs, untilMs, zone }: ReportQuestion,
  { nowMs, wholeUntilMs, lasting }: SettlementState,
) {
  const processes = await statistics.shippedProcesses();
  const silent = processes.filter(({ notedMs }) => notedMs < nowMs - silentMs);
  const shippedMs = Math.min(
    nowMs,
    ...processes.filter((process) => !silent.includes(process)).map((process) => process.untilMs),
  );
  const lastingMs = lasting * minuteMs;
  const settledMs = Math.floor(Math.min(shippedMs - lastingMs, wholeUntilMs) / quarterMs) * quarterMs;
  const shown = (timeMs: number) => textInZone(timeMs, zone);
  const range = { fromDay: dayOf(fromMs), toDay: dayOf(untilMs) };
  const late = (await statistics.lateHours(teamId, range)).filter(
    ({ hour, timeMs }) =>
      hour * hourMs >= fromMs && hour * hourMs < untilMs && (hour + 1) * hourMs <= timeMs - lastingMs,
  );
  const SettledWithout = silent
    .slice(0, silentMax)
    .map((process) => ({ Process: process.process, Until: shown(process.untilMs) }));
  const ChangedAfterSettled = late.map(({ hour, timeMs }) => ({
    Hour: shown(hour * hourMs),
    Time: shown(timeMs),
  }));
  return {
    SettledUntil: shown(settledMs),
    ...(SettledWithout.length > 0 && { SettledWithout }),
    ...(ChangedAfterSettled.length > 0 && { ChangedAfterSettled }),
  };
}
