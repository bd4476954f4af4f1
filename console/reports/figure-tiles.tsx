import { Text, UnstyledButton } from '@mantine/core';
import { measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { figureText } from '../parts/figure-text.ts';
import { titleOf } from '../parts/value-text.ts';
import classes from './figure-tiles.module.css';
import { type Answer, beforeOf, rateIn } from './question.ts';

interface TilesProps {
  readonly answer: Answer;
  readonly figure: string;
  readonly onFigure: (name: string) => void;
}

/** The sums of all rows; the one that is pressed is drawn. */
export function FigureTiles({ answer: { question, Total }, figure, onFigure }: TilesProps) {
  const before = beforeOf(Total);
  return (
    <ul className={classes.tiles} aria-label="Sums, of which one is drawn">
      {question.Measures.map((name) => (
        <li key={name}>
          <UnstyledButton
            className={classes.tile}
            aria-pressed={name === figure}
            title={measures[name]?.help}
            onClick={() => onFigure(name)}
          >
            <Text size="sm" c="dimmed">
              {titleOf(name)}
            </Text>
            <div className={classes.value}>{figureText(name, Total)}</div>
            {before && (
              <Change
                now={rateIn(Total, name)}
                before={rateIn(before, name)}
                since=""
                isFalling={measures[name]?.isBurden === true}
              />
            )}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
