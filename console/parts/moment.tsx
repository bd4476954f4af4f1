import { useTimeZone } from './time-zone.ts';
import { timeText } from './zone-text.ts';

interface MomentProps {
  readonly time: string | number;
  /** `day`: the date alone; `time`: the clock alone. */
  readonly form?: 'moment' | 'day' | 'time';
}

/** A moment in the zone that whoever looks has chosen, which it names. */
export function Moment({ time, form = 'moment' }: MomentProps) {
  const [zone] = useTimeZone();
  const date = new Date(time);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {timeText(date, zone, form)}
    </time>
  );
}
