import type { Health } from '../../src/answers/object-health.ts';
import type { Stored } from '../api/objects.ts';
import { states } from '../health/health.ts';
import { lackText } from '../parts/lack-text.ts';
import { isActive } from '../parts/object-name.ts';
import { reasonText } from '../parts/reason-text.ts';
import classes from './health.module.css';

/** The state with its first reason; what an object lacks says by itself that it is not ready. */
function healthText({ State, Missing: [lack], Reasons: [reason] }: Health): string {
  if (State === 'not_ready' && lack) return lackText(lack);
  const { text } = states[State];
  return reason && reason.Reason !== State ? `${text}: ${reasonText(reason.Reason)}` : text;
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
  const { isTrouble } = states[health.State];
  return (
    <span className={isTrouble ? classes.trouble : classes.fine} title={wholeText(health)}>
      {isTrouble && <span aria-hidden>! </span>}
      {healthText(health)}
    </span>
  );
}
