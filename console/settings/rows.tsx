import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './rows.module.css';

/** Things one below the other, with a line between them. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  readonly name: ReactNode;
  readonly more: ReactNode;
  readonly when?: ReactNode;
  readonly children?: ReactNode;
}

export function Row({ name, more, when, children }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Text fw={600} size="sm" component="div">
          {name}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {more}
        </Text>
      </div>
      {when && (
        <Text size="sm" c="dimmed" component="div" className={classes.when}>
          {when}
        </Text>
      )}
      {children}
    </li>
  );
}
