import { Button, Grid, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sendForFile } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useTimeZone } from '../parts/time-zone.ts';
import { AnswerView, isEmpty } from './answer-view.tsx';
import { Filters } from './filters.tsx';
import { type Asked, answerQuery, askedFor, type Question, reportRequest } from './question.ts';
import { FiguresInput, GroupInput, KeptNote, PeriodInputs } from './question-inputs.tsx';
import { Refused } from './refused.tsx';
import type { ReportSearch } from './report-search.ts';

/** What a team's objects counted, by whatever is counted together. The address says what is shown. */
export function ReportsScreen() {
  const search = useSearch({ from: '/console/reports' });
  const [own] = useTimeZone();
  const navigate = useNavigate();
  const asked = askedFor(search, own);
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
      <Group justify="space-between" wrap="nowrap">
        <Title order={1} size="h3">
          Reports
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Csv question={asked.question} />
          <ApiCall
            calls={{
              'Ask for this report': reportRequest(asked.question),
              'As CSV': reportRequest(asked.question, 'csv'),
            }}
          />
        </Group>
      </Group>
      <Inputs search={search} asked={asked} onChange={show} />
      <Shown search={search} asked={asked} onShow={show} onAsk={(next) => go(next, true)} />
    </Stack>
  );
}

interface InputsProps {
  readonly search: ReportSearch;
  readonly asked: Asked;
  readonly onChange: (changed: ReportSearch) => void;
}

const limits = ['10', '100', '1000', '10000'];

function Inputs({ search, asked, onChange }: InputsProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Question">
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
      <KeptNote asked={asked} />
    </Stack>
  );
}

interface ShownProps {
  readonly search: ReportSearch;
  readonly asked: Asked;
  readonly onShow: (changed: ReportSearch) => void;
  readonly onAsk: (search: ReportSearch) => void;
}

function Shown({ search, asked, onShow, onAsk }: ShownProps) {
  const { data, error, isPending, isPlaceholderData } = useQuery({
    ...answerQuery(asked.question),
    placeholderData: keepPreviousData,
  });
  if (error) return <Refused error={error} search={search} onAsk={onAsk} />;
  if (isPending) return <Skeleton h={420} aria-label="The report is asked for" />;
  if (isEmpty(data)) return <Nothing search={search} onShow={onShow} />;
  return (
    <AnswerView
      answer={data}
      view={search}
      onView={onShow}
      onNarrow={(Field, value) =>
        onAsk({
          ...search,
          filter: [
            ...(search.filter ?? []).filter((one) => one.Field !== Field),
            { Field, Operator: 'In', Values: [value] },
          ],
        })
      }
      isOld={isPlaceholderData}
    />
  );
}

function Nothing({ search, onShow }: Pick<ShownProps, 'search' | 'onShow'>) {
  return (
    <Stack gap="xs" align="flex-start" maw={560}>
      <Text fw={600}>Nothing was counted</Text>
      <Text c="dimmed">
        In this time, there was no traffic that fits. Figures of today are a second or two old.
      </Text>
      <Group gap="xs">
        {search.filter && (
          <Button size="xs" variant="default" onClick={() => onShow({ filter: undefined })}>
            Leave out the filters
          </Button>
        )}
        {search.period !== 'Today' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onShow({ period: 'Today', from: undefined, to: undefined, by: 'Hour' })}
          >
            Today by the hour
          </Button>
        )}
        {search.period !== 'Last30Days' && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onShow({ period: 'Last30Days', from: undefined, to: undefined })}
          >
            Last 30 days
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** The rows as a file. */
function Csv({ question }: { readonly question: Question }) {
  const saving = useMutation({
    mutationFn: async () =>
      saveFile(
        await sendForFile(reportRequest(question, 'csv')),
        `report-${question.From}-${question.To}.csv`,
      ),
  });
  return (
    <>
      {saving.error && <ErrorNote error={saving.error} />}
      <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        CSV
      </Button>
    </>
  );
}
