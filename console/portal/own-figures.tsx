import { Group, Select, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useTimeZone } from '../parts/time-zone.ts';
import { titleOf } from '../parts/value-text.ts';
import { askedFor } from '../reports/question.ts';
import { KeptNote, PeriodInputs } from '../reports/question-inputs.tsx';
import { ReportActions } from '../reports/report-actions.tsx';
import type { ReportSearch } from '../reports/report-search.ts';
import { ShownReport } from '../reports/shown-report.tsx';
import { firstFigures, type PartnerKind, seenBy } from './partner.ts';

const steps = ['Day', 'Week', 'Month'];

/** What a partner's objects have counted, by days or by what is theirs to know. */
export function OwnFigures({ kind }: { readonly kind: PartnerKind }) {
  const [zone] = useTimeZone();
  const [search, setSearch] = useState<ReportSearch>({ period: 'ThisMonth', by: 'Day' });
  const figures = firstFigures[kind].join();
  const asked = askedFor({ ...search, figures }, zone);
  const show = (changed: ReportSearch) => setSearch({ ...search, ...changed });
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
      <KeptNote asked={asked} />
      <ShownReport search={{ ...search, figures }} asked={asked} onShow={show} onAsk={setSearch} />
    </Stack>
  );
}
