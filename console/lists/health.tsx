import { queryOptions } from '@tanstack/react-query';
import type { Lack } from '../../src/answers/object-health.ts';
import { call, pollHeaders } from '../api/call.ts';
import type { Comparison } from '../api/figures.ts';
import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { lackText } from '../parts/lacks.tsx';
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

const lacksMs = 30_000;

/** What keeps those of these objects from serving that are not ready, by ID. */
export const lacksQuery = ({ key, isServing }: ShownEntity, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['readiness', key, ids],
    queryFn: async ({ signal }) => {
      const query = { Entity: key, Ids: ids.join(',') };
      const { data } = await call('api/readiness/get', { query, signal, headers: pollHeaders });
      return new Map(data.map(({ Id, Missing }) => [Id, Missing]));
    },
    enabled: isServing === true && ids.length > 0,
    refetchInterval: lacksMs,
    staleTime: lacksMs,
  });

interface HealthProps {
  readonly object: Stored;
  readonly figures: Comparison | undefined;
  /** What keeps it from serving. */
  readonly lacks: readonly Lack[] | undefined;
}

/** The first thing that it lacks, or what today's figures say. */
export function HealthText({ object, figures, lacks = [] }: HealthProps) {
  const [lack] = lacks;
  if (!figures && !lack) return null;
  const serves = figures && figures.Today.Impressions > 0;
  if (lack && !serves) return <NotReady lack={lack} lacks={lacks} isActive={isActive(object)} />;
  if (!figures) return null;
  const { text, isTrouble } = healthOf(object, figures);
  return (
    <span className={isTrouble ? classes.trouble : classes.fine}>
      {isTrouble && <span aria-hidden>! </span>}
      {text}
    </span>
  );
}

interface NotReadyProps {
  readonly lack: Lack;
  readonly lacks: readonly Lack[];
  readonly isActive: boolean;
}

function NotReady({ lack, lacks, isActive: isOn }: NotReadyProps) {
  const whole = lacks.map(({ Field, Message }) => `${Field} ${Message}.`).join('\n');
  return (
    <span className={isOn ? classes.trouble : classes.fine} title={whole}>
      {isOn && <span aria-hidden>! </span>}
      {lackText(lack)}
    </span>
  );
}
