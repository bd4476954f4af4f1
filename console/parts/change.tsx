import { Text } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import classes from './change.module.css';

const percents = new Intl.NumberFormat('en', { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const noticeable = 0.5;

interface ChangeProps {
  /** Null for a rate of nothing, from or to which nothing has moved. */
  readonly now: number | null;
  readonly before: number | null;
  readonly since: string;
  /** Less is better: costs, errors. */
  readonly isFalling?: boolean;
}

/** By how much a figure has moved, by sign and arrow and not by colour alone. */
export function Change({ now, before, since, isFalling = false }: ChangeProps) {
  if (now === null || before === null) return null;
  if (before === 0 && now !== 0) {
    return (
      <Text size="xs" c="dimmed">
        {since ? `nothing ${since}` : 'new'}
      </Text>
    );
  }
  const percent = now === before ? 0 : (100 * (now - before)) / before;
  const isSteady = Math.abs(percent) < noticeable;
  const isBetter = percent > 0 !== isFalling;
  const Arrow = percent > 0 ? ArrowUp : ArrowDown;
  const moved = isBetter ? 'teal' : 'orange';
  return (
    <Text size="xs" c="dimmed">
      <Text span inherit fw={600} c={isSteady ? 'dimmed' : moved}>
        {!isSteady && <Arrow size={12} aria-hidden className={classes.arrow} />}
        {isSteady ? '±0 %' : `${percents.format(percent)} %`}
      </Text>{' '}
      {since && `on ${since}`}
    </Text>
  );
}
