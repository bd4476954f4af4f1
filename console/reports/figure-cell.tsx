import { measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { figureText } from '../parts/figure-text.ts';
import { beforeOf, type Row, rateIn } from './question.ts';

interface CellProps {
  readonly name: string;
  readonly row: Row;
  /** Decimal places of the column. */
  readonly places?: number | undefined;
}

/** A figure of a row; below it how far it has moved, where there is a comparison. */
export function FigureCell({ name, row, places }: CellProps) {
  const before = beforeOf(row);
  const text = figureText(name, row, { places });
  if (!before) return text;
  return (
    <span title={`Before: ${figureText(name, before, { places })}`}>
      {text}
      <Change
        now={rateIn(row, name)}
        before={rateIn(before, name)}
        since=""
        isFalling={measures[name]?.isBurden === true}
      />
    </span>
  );
}
