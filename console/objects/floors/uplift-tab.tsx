import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { countText, moneyText, titleOf } from '../../parts/value-text.ts';
import { useShownObject } from '../object-context.ts';
import { type RuleFigures, upliftWords } from './uplift-words.ts';

const spans = [7, 31] as const;
const enoughAuctions = 200;

/** What a floor rule has brought against its control group, and the floor that it found. */
export function UpliftTab() {
  const { object } = useShownObject();
  const [days, setDays] = useState<number>(spans[0]);
  const request = {
    path: 'api/floorrule/figures',
    query: { Id: object.Id, Days: days },
  } satisfies ApiRequest;
  const { data, error } = useQuery({
    queryKey: ['floors', 'rule', object.Id, days],
    queryFn: async ({ signal }) => (await sendRequest(request, { signal })).data,
  });
  return (
    <Stack gap="lg" maw={860}>
      <FloorNow auto={data?.Auto} />
      <Part title="What the rule brought">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Time"
            data={spans.map((span) => ({ value: String(span), label: `Last ${span} days` }))}
            value={String(days)}
            onChange={(span) => setDays(Number(span))}
          />
          <ApiCall calls={{ Figures: request }} />
        </Group>
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton h={140} aria-label="Loading figures" />}
        {data && <Groups figures={data} />}
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** Leads to the setting that is named. */
function ToSetting({ field }: { readonly field: string }) {
  const { entity, object } = useShownObject();
  return (
    <Link to="/console/$entity/$id" params={{ entity: entity.key, id: String(object.Id) }} search={{ field }}>
      {titleOf(field)}
    </Link>
  );
}

function FloorNow({ auto }: { readonly auto: RuleFigures['Auto'] | undefined }) {
  const { Auto, AutoMin, AutoMax, Currency, FloorInForce } = useShownObject().object;
  const cpm = (amount: unknown) => moneyText(Number(amount), String(Currency || 'USD'));
  return (
    <Part title="The floor now">
      <Text fw={600}>{cpm(FloorInForce)} CPM</Text>
      {Auto === 1 ? (
        auto && (
          <Text c="dimmed">
            {auto.FoundAt ? (
              <>
                Found by the bids on <Moment time={auto.FoundAt} />, and checked every hour.{' '}
              </>
            ) : (
              `Set by you until enough bids are known: ${countText(auto.Sampled)} of ${enoughAuctions} auctions so far. `
            )}
            It stays between {cpm(AutoMin)} and {cpm(AutoMax)}.
            {auto.Auctions > 0 &&
              ` The evidence: ${countText(auto.Sampled)} sampled auctions of ${countText(auto.Auctions)} in the last seven days, since the last change of the rule.`}
          </Text>
        )
      ) : (
        <Text c="dimmed">
          Set by you. With <ToSetting field="Auto" />, the rule finds the floor that earns most by the bids.
        </Text>
      )}
    </Part>
  );
}

interface GroupRow {
  readonly name: string;
  readonly figures: RuleFigures['Floor'];
}

const columns: readonly DataColumn<GroupRow>[] = [
  { title: 'Group', cell: ({ name }) => name },
  { title: 'Requests', form: 'figure', cell: ({ figures }) => countText(figures.Opportunities) },
  { title: 'Bids', form: 'figure', cell: ({ figures }) => countText(figures.Bids) },
  { title: 'Impressions', form: 'figure', cell: ({ figures }) => countText(figures.Impressions) },
  { title: 'Revenue', form: 'figure', cell: ({ figures }) => moneyText(figures.Revenue) },
  {
    title: 'Revenue per 1,000 requests',
    form: 'figure',
    cell: ({ figures }) => moneyText(figures.PerThousand),
  },
];

function Groups({ figures }: { readonly figures: RuleFigures }) {
  const { SkipPercent } = useShownObject().object;
  const hasControl = figures.Control.Opportunities > 0 || Number(SkipPercent) > 0;
  const groups = [
    { name: 'With the rule', figures: figures.Floor },
    { name: 'Control group', figures: figures.Control },
  ];
  const rows = groups.filter((group) => group.figures.Opportunities > 0);
  return (
    <Stack gap="sm">
      {hasControl ? <Comparison figures={figures} /> : <NoControl />}
      {rows.length > 0 && (
        <DataTable
          label="With and without the rule"
          columns={columns}
          rows={rows}
          keyOf={({ name }) => name}
        />
      )}
    </Stack>
  );
}

function Comparison({ figures }: { readonly figures: RuleFigures }) {
  return (
    <>
      <Text fw={600}>{upliftWords(figures)}</Text>
      <Text size="sm" c="dimmed">
        {figures.Uplift
          ? 'In 95 of 100 such comparisons, the true difference lies in this range.'
          : 'It takes 24 hours in which both groups had requests.'}
      </Text>
    </>
  );
}

function NoControl() {
  return (
    <>
      <Text fw={600}>Without a control group, nobody can tell.</Text>
      <Text size="sm" c="dimmed">
        Set <ToSetting field="SkipPercent" /> to 10: for a tenth of the requests the rule is then skipped, and
        the two groups are compared here.
      </Text>
    </>
  );
}
