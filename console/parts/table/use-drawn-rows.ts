import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect } from 'react';
import { useIsStacked } from './use-is-stacked.ts';

interface RowsOptions {
  readonly count: number;
  /** What scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rowHeight: number;
  /** About how high a row is as a card, until it is measured. */
  readonly cardHeight: number;
  readonly overscan: number;
}

/** Where a row stands that begins so many pixels below the first. A card has its own height. */
export const placeOf = (start: number, height?: number): CSSProperties => ({
  transform: `translateY(${start}px)`,
  ...(height !== undefined && { height }),
});

/** The rows of a long table that are in sight, and as many before and after: all of one height, or cards of their own. */
export function useDrawnRows({ count, box, rowHeight, cardHeight, overscan }: RowsOptions) {
  const isStacked = useIsStacked();
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => (isStacked ? cardHeight : rowHeight),
    overscan,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are kept until one asks for them anew
  useEffect(() => rows.measure(), [rows, isStacked, rowHeight]);
  return {
    isStacked,
    items: rows.getVirtualItems(),
    height: rows.getTotalSize(),
    /** The `ref` of a row, which names its index as `data-index`. */
    measure: isStacked ? rows.measureElement : undefined,
  };
}
