import { Button, Group, Select, Stack } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { reports } from '../../field-tables.ts';
import { useTimeZone } from '../../parts/time-zone.ts';
import { titleOf } from '../../parts/value-text.ts';
import { dayAfter, todayIn } from '../../reports/period.ts';
import { askedFor } from '../../reports/question.ts';
import { OmissionsNote, PeriodInputs } from '../../reports/question-inputs.tsx';
import { ReportActions } from '../../reports/report-actions.tsx';
import { groupsOf, isStep, type ReportSearch } from '../../reports/report-search.ts';
import { ShownReport } from '../../reports/shown-report.tsx';
import { figuresFor, filterOf } from '../../reports/subject.ts';
import { useCombinations } from '../../reports/together.ts';
import { useShownObject } from '../object-context.ts';
import { PartnerFigures } from './partner-figures.tsx';
import { SavedCalls } from './saved-calls.tsx';

const daysBefore = 13;
/** In an address, where no comparison is wished for. */
const noComparison = 'none';

/** What the object is asked for: two weeks by day, beside the two before, where its address says nothing else. */
function useObjectSearch(): ReportSearch {
  const { entity, object } = useShownObject();
  const [zone] = useTimeZone();
  const search = useSearch({ from: '/console/$entity/$id/statistics' });
  const filter = filterOf(entity.key, object.Id);
  const today = todayIn(search.zone ?? zone);
  const days =
    search.period === undefined ? { from: dayAfter(search.to ?? today, -daysBefore), to: today } : {};
  return {
    compare: 'Period',
    figures: figuresFor(entity.key).join(),
    ...days,
    ...Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)),
    ...(filter && { filter: [filter] }),
  };
}

/** What the object has counted, beside another time, and when its configuration was changed. */
export function StatisticsTab() {
  const { object } = useShownObject();
  const search = useObjectSearch();
  const [zone] = useTimeZone();
  const navigate = useNavigate();
  const asked = askedFor(search, zone, useCombinations());
  const show = ({ filter: _, ...changed }: ReportSearch) =>
    void navigate({
      to: '.',
      search: (before) => ({
        ...before,
        ...changed,
        ...('compare' in changed && { compare: changed.compare ?? noComparison }),
      }),
      replace: true,
    });
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group gap="sm" align="flex-end">
          <PeriodInputs search={search} asked={asked} onChange={show} />
          <Select
            w={104}
            label="By"
            allowDeselect={false}
            data={reports.steps.map((value) => ({ value, label: titleOf(value) }))}
            value={groupsOf(search).find(isStep) ?? null}
            onChange={(by) => show({ by: by ?? undefined })}
          />
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/console/reports" search={search} {...props} />}
          >
            In reports
          </Button>
          <ReportActions question={asked.question} />
        </Group>
      </Group>
      <SavedCalls question={asked.question} />
      <OmissionsNote asked={asked} />
      <ShownReport search={search} asked={asked} onShow={show} onAsk={show} />
      {object.StatsApi ? <PartnerFigures /> : null}
    </Stack>
  );
}
