import { Button, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Change } from '../objects/history/history.ts';
import classes from './change-list.module.css';
import type { Mark } from './marks.ts';

const ChangeLines = lazy(async () => ({ default: (await import('./change-lines.tsx')).ChangeLines }));

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
      {shown && (
        <Suspense fallback={null}>
          <ChangeLines changes={shown.changes} />
        </Suspense>
      )}
    </div>
  );
}
