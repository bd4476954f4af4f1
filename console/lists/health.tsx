import type { Health } from '../../src/answers/object-health.ts';
import type { Stored } from '../api/objects.ts';
import { states } from '../health/health.ts';
import { lackText } from '../parts/lacks.tsx';
import { isActive } from '../parts/object-name.ts';
import { reasonText } from '../parts/reason-text.ts';
import classes from './health.module.css';

/** The first reason for the state. */
function whyText({ State, Missing: [lack], Reasons: [reason] }: Health): string {
  if (State === 'not_ready' && lack) return lackText(lack);
  return reason && reason.Reason !== State ? reasonText(reason.Reason) : '';
}

const wholeText = ({ Reasons }: Health) => Reasons.map(({ Help }) => Help).join('\n');

interface HealthProps {
  readonly object: Stored;
  /** As the server sees it; undefined until it has told. */
  readonly health: Health | undefined;
}

/** The state of an object, with its first reason. */
export function HealthText({ object, health }: HealthProps) {
  if (!isActive(object)) return <span className={classes.fine}>{states.inactive.text}</span>;
  if (!health) return null;
  const { text, isTrouble } = states[health.State];
  const why = whyText(health);
  return (
    <span className={isTrouble ? classes.trouble : classes.fine} title={wholeText(health)}>
      {isTrouble && <span aria-hidden>! </span>}
      {why === '' ? text : `${text}: ${why}`}
    </span>
  );
}
