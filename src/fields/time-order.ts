import { zonedTime } from '../shared/zoned-time.ts';

/** Whether an end comes before its start; days end with their last millisecond, and `""` is open. */
export function endsBefore(end: string, start: string, zone: string): boolean {
  const [from, until] = [zonedTime(start, zone), zonedTime(end, zone)];
  return from !== undefined && until !== undefined && until.endMs < from.startMs;
}
