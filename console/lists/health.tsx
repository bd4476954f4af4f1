import type { Comparison } from '../api/figures.ts';
import type { Stored } from '../api/objects.ts';
import { isActive } from '../parts/object-name.ts';
import classes from './health.module.css';

/** How an object does, in a word, with whether somebody should look at it. */
interface Health {
  readonly text: string;
  readonly isTrouble: boolean;
}

const good = (text: string): Health => ({ text, isTrouble: false });
const trouble = (text: string): Health => ({ text, isTrouble: true });

/** What today's figures say of an object; the hour that has just begun says nothing yet. */
export function healthOf(object: Stored, { Today, SameHoursYesterday, Trend }: Comparison): Health {
  if (!isActive(object)) return good('');
  const quietHours = [...Trend].reverse().findIndex((requests) => requests > 0);
  if (quietHours === -1) return good('no traffic');
  if (quietHours > 1 && SameHoursYesterday.Requests > 0) return trouble(`no requests for ${quietHours} h`);
  if (Today.Requests > 0 && Today.Impressions === 0) return trouble('no fill today');
  return good('ok');
}

export function HealthText({
  object,
  figures,
}: {
  readonly object: Stored;
  readonly figures: Comparison | undefined;
}) {
  if (!figures) return null;
  const { text, isTrouble } = healthOf(object, figures);
  return (
    <span className={isTrouble ? classes.trouble : classes.fine}>
      {isTrouble && <span aria-hidden>! </span>}
      {text}
    </span>
  );
}
