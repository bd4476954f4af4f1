import type { ReactNode } from 'react';
import classes from './difference.module.css';

/** Fields that differ, each a `Difference`. */
export function Differences({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.fields}>{children}</dl>;
}

interface DifferenceProps {
  readonly name: string;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** In place of the two values, where there are none to show. */
  readonly children?: ReactNode;
}

/** A field's value as it was and as it is to be. */
export function Difference({ name, before, after, children }: DifferenceProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children}
        {before !== undefined && (
          <>
            <del className={classes.old}>{before || 'empty'}</del> →{' '}
            <ins className={classes.new}>{after || 'empty'}</ins>
          </>
        )}
      </dd>
    </>
  );
}
