import { Group, Select, Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTimeZone } from '../parts/time-zone.ts';
import { titleOf } from '../parts/value-text.ts';
import { askedFor } from '../reports/question.ts';
import { OmissionsNote, PeriodInputs } from '../reports/question-inputs.tsx';
import { ReportActions } from '../reports/report-actions.tsx';
import { type ReportSearch, readReportSearch } from '../reports/report-search.ts';
import { ShownReport } from '../reports/shown-report.tsx';
import { useCombinations } from '../reports/together.ts';
import { firstFigures, type PartnerKind, seenBy } from './partner.ts';

const steps = ['Day', 'Week', 'Month'];
/** What is shown where the address does not say it. */
const standard = { period: 'ThisMonth', by: 'Day' };
const sayingOf = (search: ReportSearch): ReportSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

/** What a partner's objects have counted, by days or by what is theirs to know. */
export function OwnFigures({ kind }: { readonly kind: PartnerKind }) {
  const [zone] = useTimeZone();
  const search = { ...standard, ...sayingOf(readReportSearch(useSearch({ strict: false }))) };
  const navigate = useNavigate();
  const figures = firstFigures[kind].join();
  const asked = askedFor({ ...search, figures }, zone, useCombinations());
  const ask = (next: ReportSearch, isNew = true) => void navigate({ to: '/', search: next, replace: !isNew });
  const show = (changed: ReportSearch) => ask({ ...search, ...changed }, false);
  return (
    <Stack gap="lg">
      <Title order={1} size="h3">
        Figures
      </Title>
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group gap="sm" align="flex-end">
          <PeriodInputs search={search} asked={asked} onChange={show} />
          <Select
            w={150}
            label="By"
            allowDeselect={false}
            data={[...steps, ...seenBy(kind).dimensions].map((value) => ({ value, label: titleOf(value) }))}
            value={search.by ?? null}
            onChange={(by) => show({ by: by ?? undefined, sort: undefined })}
          />
        </Group>
        <Group gap="xs">
          <ReportActions question={asked.question} />
        </Group>
      </Group>
      <OmissionsNote asked={asked} />
      <ShownReport search={{ ...search, figures }} asked={asked} onShow={show} onAsk={ask} />
    </Stack>
  );
}
