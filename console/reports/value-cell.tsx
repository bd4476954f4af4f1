import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Filter } from 'lucide-react';
import { ReasonLink } from '../parts/reason-link.tsx';
import { titleOf } from '../parts/value-text.ts';
import classes from './report-table.module.css';
import type { ShownValue } from './shown-value.ts';

export type Narrow = (dimension: string, value: string | number) => void;

interface CellProps {
  readonly dimension: string;
  readonly shown: ShownValue;
  readonly onNarrow?: Narrow | undefined;
}

/** A value of a dimension: an object as a link, others as texts; with a button that leaves out all others. */
export function ValueCell({ dimension, shown, onNarrow }: CellProps) {
  const { text, value } = shown;
  return (
    <>
      <CellContent shown={shown} />
      {onNarrow && value !== undefined && (
        <button
          type="button"
          className={classes.narrow}
          aria-label={`Only ${titleOf(dimension)} ${text}`}
          title="Only this"
          onClick={() => onNarrow(dimension, value)}
        >
          <Filter size={13} aria-hidden />
        </button>
      )}
    </>
  );
}

function CellContent({ shown: { text, isOurs, object, reason, help } }: Pick<CellProps, 'shown'>) {
  if (reason !== undefined) return <ReasonLink name={reason} help={help} className={classes.name} />;
  if (object) {
    return (
      <Link
        className={classes.name}
        title={text}
        to="/console/$entity/$id/statistics"
        params={{ entity: object.entity, id: String(object.id) }}
      >
        {text}
      </Link>
    );
  }
  return (
    <Text span inherit truncate c={isOurs ? 'dimmed' : undefined} title={help ?? text}>
      <bdi>{text}</bdi>
    </Text>
  );
}
