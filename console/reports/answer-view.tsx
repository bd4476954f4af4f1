import { Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useTimeZone } from '../parts/time-zone.ts';
import { countText, titleOf } from '../parts/value-text.ts';
import { dayStart, timeText } from '../parts/zone-text.ts';
import { Bars } from './bars.tsx';
import { useCodeNames } from './code-names.ts';
import { FigureTiles } from './figure-tiles.tsx';
import { Lines } from './lines.tsx';
import { daysOf } from './period.ts';
import { isCounted } from './pivot.ts';
import { PivotTable } from './pivot-table.tsx';
import { type Answer, chartOf, chartsOf, drawnFigure, type Question, type Row, stepOf } from './question.ts';
import type { ReportSearch } from './report-search.ts';
import { RowsTable } from './rows-table.tsx';
import { isOfPairs, isWithoutDemand, noDemand, stepValue } from './shown-value.ts';
import type { Narrow } from './value-cell.tsx';

export type View = Pick<ReportSearch, 'chart' | 'figure' | 'across' | 'sort' | 'quiet'>;

interface AnswerProps {
  readonly answer: Answer;
  readonly view: View;
  readonly onView: (changed: View) => void;
  readonly onNarrow?: Narrow | undefined;
  /** Whether other figures are on their way. */
  readonly isOld: boolean;
}

const chartLabels: Readonly<Record<string, string>> = { lines: 'Lines', bars: 'Bars', none: 'Table only' };

/** What the server answered: sums, a chart, and the table. */
export function AnswerView({ answer: whole, view, onView, onNarrow, isOld }: AnswerProps) {
  const answer = view.quiet ? whole : withoutQuietRows(whole);
  const { question } = answer;
  const codes = useCodeNames([...question.GroupBy, ...question.Filters.map(({ Field }) => Field)]);
  const charts = chartsOf(question);
  const chart = chartOf(view, question);
  const figure = drawnFigure(view, question.Measures);
  const across =
    question.GroupBy.length > 1 ? question.GroupBy.find((name) => name === view.across) : undefined;
  const [order] = question.OrderBy ?? [];
  const sort = order && `${order.Direction === 'Desc' ? '-' : ''}${order.Field}`;
  const table = { codes, sort, onSort: (next: string | undefined) => onView({ sort: next }), onNarrow };
  return (
    <Stack gap="lg" aria-busy={isOld} style={{ opacity: isOld ? 0.6 : 1 }}>
      <FigureTiles answer={answer} figure={figure} onFigure={(name) => onView({ figure: name })} />
      {charts.length > 0 && (
        <Group gap="md" align="flex-end" className="screenOnly">
          <SegmentedControl
            size="xs"
            aria-label="Chart"
            data={charts.map((value) => ({ value, label: chartLabels[value] ?? value }))}
            value={chart}
            onChange={(next) => onView({ chart: next === charts[0] ? undefined : next })}
          />
          {question.GroupBy.length > 1 && (
            <Select
              size="xs"
              w={190}
              aria-label="Values as columns"
              placeholder="Values as columns…"
              clearable
              data={question.GroupBy.map((value) => ({ value, label: `Columns: ${titleOf(value)}` }))}
              value={across ?? null}
              onChange={(next) => onView({ across: next ?? undefined })}
            />
          )}
        </Group>
      )}
      {chart === 'lines' && <Lines question={question} figure={figure} codes={codes} />}
      {chart === 'bars' && <Bars answer={answer} figure={figure} codes={codes} />}
      {across !== undefined && <PivotTable question={question} across={across} figure={figure} {...table} />}
      {across === undefined && charts.length > 0 && <RowsTable answer={answer} {...table} />}
      {across === undefined && <QuietRowsSwitch answer={whole} view={view} onView={onView} />}
      <NoDemandNote answer={answer} />
      <ComparedNote answer={answer} />
      <SettlementNote answer={whole} />
    </Stack>
  );
}

const isQuiet = ({ GroupBy, Measures }: Question, row: Row): boolean =>
  GroupBy.some((name) => isWithoutDemand(name, row)) || !isCounted(row, Measures);

function withoutQuietRows(answer: Answer): Answer {
  const { question, Rows } = answer;
  if (!isOfPairs(question.GroupBy)) return answer;
  return { ...answer, Rows: Rows.filter((row) => !isQuiet(question, row)) };
}

/** Of pairs: how many rows say nothing of demand, and whether they are shown. The sums have them in any case. */
function QuietRowsSwitch({
  answer: { question, Rows },
  view,
  onView,
}: Pick<AnswerProps, 'answer' | 'view' | 'onView'>) {
  const quiet = isOfPairs(question.GroupBy) ? Rows.filter((row) => isQuiet(question, row)).length : 0;
  if (quiet === 0) return null;
  return (
    <Switch
      className="screenOnly"
      size="xs"
      label={`Show ${countText(quiet)} ${quiet === 1 ? 'row' : 'rows'} without demand or figures; the sums include them`}
      checked={view.quiet === 'shown'}
      onChange={({ currentTarget }) => onView({ quiet: currentTarget.checked ? 'shown' : undefined })}
    />
  );
}

/** What the rows without demand are, where there are such. */
function NoDemandNote({ answer: { question, Rows } }: Pick<AnswerProps, 'answer'>) {
  if (!Rows.some((row) => question.GroupBy.some((name) => isWithoutDemand(name, row)))) return null;
  return (
    <Text size="sm" c="dimmed">
      <b>{noDemand.text}</b> – {noDemand.help}
    </Text>
  );
}

const unmatchedShown = 3;

/** What the figures of before are of, and what has none. */
function ComparedNote({ answer: { question, Before } }: Pick<AnswerProps, 'answer'>) {
  if (!Before) return null;
  const { From, To, Unmatched = [] } = Before;
  const step = stepOf(question) ?? '';
  const shown = Unmatched.slice(0, unmatchedShown).map((start) => stepValue(step, { [step]: start }).text);
  const left = Unmatched.length - shown.length;
  const more = left > 0 ? ` and ${countText(left)} more` : '';
  const [from, to] = [From, To].map((time) => timeText(Date.parse(time), question.TimeZone));
  return (
    <Text size="sm" c="dimmed">
      {From !== To && `Compared with ${from} until ${to}.`}
      {From === To && shown.length === 0 && 'Nothing to compare with yet: no interval is over.'}
      {shown.length > 0 && ` Without a counterpart: ${shown.join('; ')}${more}.`}
    </Text>
  );
}

/** Whether anything was counted of what was asked. */
export const isEmpty = ({ question, Total }: Answer): boolean => !isCounted(Total, question.Measures);

/** What else there is to know of figures that are final. */
function exceptions({ ChangedAfterSettled = [], SettledWithout = [] }: Answer, zone: string): string {
  const [last] = ChangedAfterSettled;
  const others = ChangedAfterSettled.length - 1;
  const hours = others > 0 ? ` and ${countText(others)} more ${others === 1 ? 'hour' : 'hours'}` : '';
  const silent =
    SettledWithout.length === 1 ? 'One server has' : `${countText(SettledWithout.length)} servers have`;
  return [
    last &&
      `The hour of ${timeText(Date.parse(last.Hour), zone)}${hours} changed after that, last at ${timeText(Math.max(...ChangedAfterSettled.map(({ Time }) => Date.parse(Time))), zone)}. `,
    SettledWithout.length > 0 && `${silent} been silent for more than an hour, and may still have events. `,
  ]
    .filter(Boolean)
    .join('');
}

/** How many rows there are, until when figures are final, and whose days they are. */
function SettlementNote({ answer }: Pick<AnswerProps, 'answer'>) {
  const { question, Rows, SettledUntil } = answer;
  const [own] = useTimeZone();
  const zone = question.TimeZone === 'UTC' ? 'UTC' : own;
  const settledMs = Date.parse(SettledUntil);
  const last = question.To ?? daysOf(question.Period ?? '', question.TimeZone)?.[1];
  const isFinal = last !== undefined && Date.parse(dayStart(last, question.TimeZone, 1)) <= settledMs;
  const rows = `${countText(Rows.length)} ${Rows.length === 1 ? 'row' : 'rows'}`;
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {question.Limit === Rows.length ? `The first ${rows}; the sums include all rows.` : `${rows}.`}{' '}
      {isFinal
        ? `All figures are final${answer.SettledWithout ? ', as far as is known' : ''}.`
        : `Figures before ${timeText(settledMs, zone)} are final; later ones still grow as ads are shown and clicked.`}{' '}
      {exceptions(answer, zone)}Days and hours are in {question.TimeZone.replaceAll('_', ' ')}.
    </Text>
  );
}
