import { Text } from '@mantine/core';
import { figureText, placesOf } from '../parts/figure-text.ts';
import { countText, titleOf } from '../parts/value-text.ts';
import classes from './bars.module.css';
import { type Answer, beforeOf, figureIn } from './question.ts';
import { type CodeNames, rowText } from './shown-value.ts';

const barsMax = 15;

interface BarsProps {
  readonly answer: Answer;
  readonly figure: string;
  readonly codes: CodeNames;
}

/** A figure of the first rows as bars, with that of before below. */
export function Bars({ answer: { question, Rows }, figure, codes }: BarsProps) {
  const rows = Rows.slice(0, barsMax);
  const all = rows.flatMap((row) => [figureIn(row, figure), beforeOf(row)?.[figure] ?? 0]);
  const places = placesOf(figure, rows);
  const greatest = Math.max(...all, Number.MIN_VALUE);
  const widthOf = (value: number) => ({
    width: `${(100 * Math.max(value, 0)) / greatest}%`,
    minWidth: value > 0 ? 1 : 0,
  });
  return (
    <div>
      <ol className={classes.bars} aria-label={`${titleOf(figure)} as bars`}>
        {rows.map((row, index) => {
          const text = rowText(question.GroupBy, row, codes);
          const before = beforeOf(row);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <li key={index}>
              <bdi className={classes.label} title={text}>
                {text}
              </bdi>
              <span className={classes.track} aria-hidden>
                <span className={classes.bar} style={widthOf(figureIn(row, figure))} />
                {before && <span className={classes.before} style={widthOf(before[figure] ?? 0)} />}
              </span>
              <span className={classes.value}>{figureText(figure, row, { places })}</span>
            </li>
          );
        })}
      </ol>
      {Rows.length > rows.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {barsMax} of {countText(Rows.length)} rows, in the order of the table.
        </Text>
      )}
    </div>
  );
}
