import { Skeleton } from '@mantine/core';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import type { LineChart as Chart } from '../charts/line-chart.tsx';
import type { ReportFilter } from '../reports/report-search.ts';
import { isPartner } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { ChangeList } from './change-list.tsx';
import { endOf, marksOf } from './marks.ts';
import { useChanges } from './use-changes.ts';

const LineChart = lazy(async () => ({ default: (await import('../charts/line-chart.tsx')).LineChart }));

interface MarkedProps extends Omit<ComponentProps<typeof Chart>, 'marks' | 'onMark'> {
  readonly starts: readonly string[];
  /** Whose changes are marked. */
  readonly filters: readonly ReportFilter[];
}

/** Lines over time, marked where the configuration was changed, with the changes below. */
export function MarkedChart({ starts, filters, ...chart }: MarkedProps) {
  // Who changed what is the team's own business.
  const from = isPartner(useAccount()) ? undefined : starts[0];
  const marks = marksOf(useChanges(filters, from, endOf(starts)), starts);
  const [open, setOpen] = useState<string>();
  const toggle = (letter: string) => setOpen(letter === open ? undefined : letter);
  return (
    <>
      <Suspense fallback={<Skeleton h={chart.height ?? 260} />}>
        <LineChart
          {...chart}
          marks={marks.map(({ letter, index }) => ({ at: index, text: letter }))}
          onMark={toggle}
        />
      </Suspense>
      <ChangeList marks={marks} categories={chart.categories} open={open} onToggle={toggle} />
    </>
  );
}
