import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { createAsker } from '../../api/ask-worker.ts';
import { countText } from '../../parts/value-text.ts';
import type { LeaveOutAnswer, LeaveOutQuestion } from './leave-out-question.ts';

/** Knows what each kind of list takes, which is much: it is loaded when lines were refused. */
const ask = createAsker<LeaveOutQuestion, LeaveOutAnswer>(
  () => new Worker(new URL('./leave-out-worker.ts', import.meta.url), { type: 'module' }),
);

export const badLinesText = (count: number): string =>
  `${countText(count)} bad ${count === 1 ? 'line' : 'lines'}`;

interface ButtonProps {
  readonly lines: Blob;
  /** Key of the list's entity. */
  readonly list: string;
  readonly onLeaveOut: (good: LeaveOutAnswer) => void;
}

/** Offers to send lines without the bad ones; not where nothing would be left. */
export function LeaveOutButton({ lines, list, onLeaveOut }: ButtonProps) {
  const { data } = useQuery({
    queryKey: ['good-lines', useId()],
    queryFn: () => ask({ of: lines, list }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data && (data.left === 0 || data.entries === 0)) return null;
  return (
    <Button mt="sm" size="xs" variant="default" loading={!data} onClick={() => data && onLeaveOut(data)}>
      {data ? `Leave out ${badLinesText(data.left)} and send the rest` : 'Leave out the bad lines'}
    </Button>
  );
}
