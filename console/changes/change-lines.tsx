import { Link } from '@tanstack/react-router';
import { useNamesOf } from '../history/names-of.ts';
import type { Change } from '../objects/history/history.ts';
import { ChangeLine } from './change-line.tsx';
import classes from './change-list.module.css';

const shownMax = 20;

/** The changes of a mark, the rest a link. */
export function ChangeLines({ changes }: { readonly changes: readonly Change[] }) {
  const names = useNamesOf(changes);
  return (
    <ol className={classes.shown} aria-live="polite">
      {changes.slice(0, shownMax).map((change) => (
        <ChangeLine
          key={`${change.Revision}${change.Entity}${change.Id}`}
          change={change}
          name={names.get(`${change.Entity} ${change.Id}`)}
        />
      ))}
      {changes.length > shownMax && (
        <li>
          and {changes.length - shownMax} more in the <Link to="/console/history">history</Link>
        </li>
      )}
    </ol>
  );
}
