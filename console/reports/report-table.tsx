import { UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { nextSort } from '../lists/sorting.ts';
import { useIsPrinting } from '../parts/printing.ts';
import { countText } from '../parts/value-text.ts';
import classes from './report-table.module.css';

export interface TableColumn<R> {
  readonly key: string;
  readonly title: ReactNode;
  readonly help?: string | undefined;
  readonly isFigure: boolean;
  /** Whether it is sentences, which need room. */
  readonly isProse?: boolean;
  readonly canSort: boolean;
  /** In `sort`: by how much its figures have changed. */
  readonly changeKey?: string | undefined;
  readonly cell: (row: R) => ReactNode;
  /** What stands below it, of all rows. */
  readonly total?: ReactNode;
}

interface TableProps<R> {
  readonly label: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  readonly rowHeight: number;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** More are hundreds of sheets. */
const printedMax = 5000;
const widths = { value: 150, prose: 340, figure: 98, gap: 16 };

function gridOf(
  columns: readonly Pick<TableColumn<never>, 'isFigure' | 'isProse'>[],
  isPrinting: boolean,
): CSSProperties {
  const wide = ({ isProse = false }) => (isProse ? widths.prose : widths.value);
  const sizes = columns.map((column) => (column.isFigure ? widths.figure : wide(column)));
  // Paper does not scroll.
  if (isPrinting) return { gridTemplateColumns: sizes.map((size) => `minmax(0, ${size}fr)`).join(' ') };
  return {
    gridTemplateColumns: sizes.map((size) => `minmax(${size}px, ${size}fr)`).join(' '),
    minWidth: sizes.reduce((sum, size) => sum + size + widths.gap, widths.gap),
  };
}

/** Rows of a report, of which only those in sight are drawn (printed, all), between names and sums that stay in sight. */
export function ReportTable<R>({ label, columns, rows, rowHeight, sort, onSort }: TableProps<R>) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const isPrinting = useIsPrinting();
  const grid = gridOf(columns, isPrinting);
  const shown = isPrinting
    ? rows.slice(0, printedMax).map((_, index) => ({ index, start: 0 }))
    : drawn.getVirtualItems();
  const hasTotal = columns.some(({ total }) => total !== undefined);
  return (
    <div ref={box} className={classes.box} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div className={classes.head} role="row" style={grid}>
        {columns.map((column) => (
          <Head key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      <div
        role="rowgroup"
        style={
          isPrinting ? {} : { height: drawn.getTotalSize(), position: 'relative', minWidth: grid.minWidth }
        }
      >
        {shown.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={classes.row}
            style={isPrinting ? grid : { ...grid, transform: `translateY(${start}px)`, height: rowHeight }}
          >
            {columns.map(({ key, isFigure, cell }) => (
              <span key={key} role="cell" className={isFigure ? classes.figure : classes.value}>
                {cell(rows[index] as R)}
              </span>
            ))}
          </div>
        ))}
      </div>
      {isPrinting && rows.length > printedMax && (
        <p>The first {countText(printedMax)} rows are printed; the CSV has all.</p>
      )}
      {hasTotal && (
        <div className={classes.total} role="row" style={grid}>
          {columns.map(({ key, isFigure, total }) => (
            <span key={key} role="cell" className={isFigure ? classes.figure : classes.value}>
              {total}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

const marks = { ascending: <ArrowUp size={12} />, descending: <ArrowDown size={12} />, none: '' } as const;

interface HeadProps<R> extends Pick<TableProps<R>, 'sort' | 'onSort'> {
  readonly column: TableColumn<R>;
}

const orderIn = (sort: string | undefined, key: string | undefined): keyof typeof marks => {
  if (key === undefined) return 'none';
  const rising = sort === key ? 'ascending' : 'none';
  return sort === `-${key}` ? 'descending' : rising;
};

function Head<R>({ column, sort, onSort }: HeadProps<R>) {
  const { key, title, help, isFigure, canSort, changeKey } = column;
  const [own, ofChange] = [orderIn(sort, key), orderIn(sort, changeKey)];
  const order = ofChange === 'none' ? own : ofChange;
  return (
    <span
      role="columnheader"
      aria-sort={canSort ? order : undefined}
      className={isFigure ? classes.figure : undefined}
    >
      {canSort ? (
        <UnstyledButton fz="sm" fw={600} title={help} onClick={() => onSort(nextSort(key, sort))}>
          {title}
          <span aria-hidden>{marks[own]}</span>
        </UnstyledButton>
      ) : (
        <span title={help}>{title}</span>
      )}
      {changeKey !== undefined && (
        <UnstyledButton
          display="block"
          ml="auto"
          fz="xs"
          c="dimmed"
          title="Sort by how much it has changed"
          onClick={() => onSort(nextSort(changeKey, sort))}
        >
          <span className="visually-hidden">{title} </span>change
          <span aria-hidden>{marks[ofChange]}</span>
        </UnstyledButton>
      )}
    </span>
  );
}
