import { Grid, Group, Select, Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { objectName } from '../parts/object-name.ts';
import { useTimeZone } from '../parts/time-zone.ts';
import { titleOf } from '../parts/value-text.ts';
import { Filters } from './filters.tsx';
import { periodText } from './period.ts';
import { type AskedQuestion, askedFor } from './question.ts';
import { FiguresInput, GroupInput, OmissionsNote, PeriodInputs } from './question-inputs.tsx';
import { ReportActions } from './report-actions.tsx';
import type { ReportSearch } from './report-search.ts';
import { SavedNote } from './saved-note.tsx';
import { SavedReports, useSavedReport } from './saved-reports.tsx';
import { ShownReport } from './shown-report.tsx';
import { useCombinations } from './together.ts';

/** The filters of an address with one value of a dimension in place of others. */
const narrowed = ({ filter = [] }: ReportSearch, Field: string, value: string | number) => [
  ...filter.filter((one) => one.Field !== Field),
  { Field, Operator: 'In' as const, Values: [value] },
];

/** What a team's objects counted, by whatever is counted together. The address says what is shown. */
export function ReportsScreen() {
  const search = useSearch({ from: '/console/reports' });
  const [own] = useTimeZone();
  const navigate = useNavigate();
  const asked = askedFor(search, own, useCombinations());
  const saved = useSavedReport(search.saved);
  const go = (next: ReportSearch, isNew = false) =>
    void navigate({ to: '/console/reports', search: next, replace: !isNew });
  const show = (changed: ReportSearch) => go({ ...search, ...changed });
  useEffect(() => {
    // So that whoever is given the address sees the same days.
    if (search.zone === undefined)
      void navigate({ to: '/console/reports', search: { ...search, zone: own }, replace: true });
  }, [search, own, navigate]);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <div>
          <Title order={1} size="h3">
            {saved ? objectName(saved) : 'Reports'}
          </Title>
          {saved && <SavedNote saved={saved} />}
        </div>
        <Group gap="xs" wrap="nowrap" className="screenOnly">
          <SavedReports search={search} asked={asked} saved={saved} />
          <ReportActions question={asked.question} name={saved ? objectName(saved) : ''} />
        </Group>
      </Group>
      <PrintedQuestion asked={asked} />
      <Inputs search={search} asked={asked} onChange={show} />
      <ShownReport
        search={search}
        asked={asked}
        onShow={show}
        onAsk={(next) => go(next, true)}
        onNarrow={(dimension, value) => go({ ...search, filter: narrowed(search, dimension, value) }, true)}
      />
    </Stack>
  );
}

/** What is asked, on paper, where there are no inputs. */
function PrintedQuestion({ asked: { question, days } }: { readonly asked: AskedQuestion }) {
  const { Period = '', GroupBy, Filters: filters } = question;
  const texts = [
    periodText(Period),
    days.filter(Boolean).join(' to '),
    GroupBy.length > 0 && `by ${GroupBy.map(titleOf).join(', ')}`,
    ...filters.map(
      ({ Field, Operator, Values }) =>
        `${titleOf(Field)} ${Operator === 'In' ? '' : 'not '}${Values.join(', ')}`,
    ),
  ];
  return <div className="printOnly">{texts.filter(Boolean).join(' · ')}</div>;
}

interface InputsProps {
  readonly search: ReportSearch;
  readonly asked: AskedQuestion;
  readonly onChange: (changed: ReportSearch) => void;
}

const limits = ['10', '100', '1000', '10000'];

function Inputs({ search, asked, onChange }: InputsProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Question" className="screenOnly">
      <PeriodInputs search={search} asked={asked} onChange={onChange} />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <GroupInput search={search} onChange={onChange} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <FiguresInput search={search} onChange={onChange} />
        </Grid.Col>
      </Grid>
      <Group gap="sm">
        <Filters search={search} question={asked.question} onChange={onChange} />
        <Select
          size="xs"
          w={140}
          aria-label="Most rows"
          placeholder="All rows"
          clearable
          data={limits.map((value) => ({ value, label: `${Number(value).toLocaleString('en')} rows` }))}
          value={search.limit === undefined ? null : String(search.limit)}
          onChange={(limit) => onChange({ limit: limit === null ? undefined : Number(limit) })}
        />
      </Group>
      <OmissionsNote asked={asked} />
    </Stack>
  );
}
