import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNamesOf } from '../history/names-of.ts';
import type { Change } from '../objects/history/history.ts';
import { ChangeLine } from './change-line.tsx';
import classes from './change-list.module.css';
import type { Mark } from './marks.ts';

interface ListProps {
  readonly marks: readonly Mark<Change>[];
  /** What the steps of time are called. */
  readonly categories: readonly string[];
  /** The letter of the mark whose changes are shown. */
  readonly open: string | undefined;
  readonly onToggle: (letter: string) => void;
}

/** The marks of a chart as buttons, and the changes of the one that is pressed. */
export function ChangeList({ marks, categories, open, onToggle }: ListProps) {
  const shown = marks.find(({ letter }) => letter === open);
  if (marks.length === 0) return null;
  return (
    <div className={classes.changes}>
      <div className={classes.marks}>
        <Text span size="sm" c="dimmed" id="configuration-marks">
          Configuration changed:
        </Text>
        <ul aria-labelledby="configuration-marks">
          {marks.map(({ letter, index, changes }) => (
            <li key={letter}>
              <Button
                size="compact-xs"
                variant={letter === open ? 'light' : 'default'}
                aria-expanded={letter === open}
                onClick={() => onToggle(letter)}
              >
                {letter} · {categories[index]}
                {changes.length > 1 && ` · ${changes.length} changes`}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {shown && <ChangeLines changes={shown.changes} />}
    </div>
  );
}

const shownMax = 20;

function ChangeLines({ changes }: { readonly changes: readonly Change[] }) {
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
