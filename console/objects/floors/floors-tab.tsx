import { Anchor, Group, SegmentedControl, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { countText, moneyText, percentText } from '../../parts/value-text.ts';
import { dayAfter, todayIn } from '../../reports/period.ts';
import { useShownObject } from '../object-context.ts';
import type { Curve, Floor, Floors } from './floors.ts';
import { SetFloor } from './set-floor.tsx';

const LineChart = lazy(async () => ({ default: (await import('../../charts/line-chart.tsx')).LineChart }));

const chartHeight = 300;
/** Marks that are nearer to each other than so many floors have no room for two labels. */
const labelledApart = 3;
const typeNames: Readonly<Record<number, string>> = { 1: 'First price', 2: 'Second price' };
/** In one unit of the currency: floors are set to a hundredth. */
const cents = 100;
const floorText = (floor: number) => floor.toFixed(2);

const floorsQuery = (request: ApiRequest<'api/figures/floors'>) =>
  queryOptions({
    queryKey: ['floors', request.query],
    queryFn: async ({ signal }) => (await sendRequest(request, { signal })).data,
  });

/** What a day's auctions of a supply object would have earned at each floor. */
export function FloorsTab() {
  const { entity, object } = useShownObject();
  const { day, country, price } = useSearch({ from: '/console/$entity/$id/floors' });
  const navigate = useNavigate();
  const show = (changed: { day?: string; country?: string | undefined; price?: number }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
  const shownDay = day ?? dayAfter(todayIn('UTC'), -1);
  const request = {
    path: 'api/figures/floors',
    query: { Entity: entity.key, Id: object.Id, Day: shownDay, Country: country },
  } satisfies ApiRequest;
  const { data, error } = useQuery(floorsQuery(request));
  const curve = data?.Prices.find(({ AuctionType }) => AuctionType === price) ?? data?.Prices[0];
  return (
    <Stack gap="lg">
      <Group gap="sm" align="flex-end">
        <TextInput
          type="date"
          label="Day (UTC)"
          max={todayIn('UTC')}
          value={shownDay}
          onChange={({ currentTarget: { value } }) => value && show({ day: value })}
        />
        <Select
          label="Country"
          w={190}
          placeholder="All countries"
          clearable
          data={(data?.Countries ?? []).flatMap(({ Country, Auctions }) =>
            Country === '' ? [] : [{ value: Country, label: `${Country}, ${countText(Auctions)} auctions` }],
          )}
          value={country ?? null}
          onChange={(value) => show({ country: value ?? undefined })}
        />
        {curve && (
          <SegmentedControl
            aria-label="How prices are determined"
            data={[1, 2].map((type) => ({ value: String(type), label: typeNames[type] ?? '' }))}
            value={String(curve.AuctionType)}
            onChange={(type) => show({ price: Number(type) })}
          />
        )}
        <ApiCall calls={{ Floors: request }} />
      </Group>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={chartHeight} aria-label="Loading floors" />}
      {data && !curve && <TooFewAuctions floors={data} />}
      {data && curve && <ShownCurve floors={data} curve={curve} country={country} />}
    </Stack>
  );
}

function TooFewAuctions({ floors: { Auctions, Sampled } }: { readonly floors: Floors }) {
  return (
    <Stack gap={4} maw={560}>
      <Text fw={600}>Not enough data</Text>
      <Text c="dimmed">
        {Auctions === 0
          ? 'No auction with bids was sampled on that day.'
          : `${countText(Sampled)} of ${countText(Auctions)} auctions with bids were sampled.`}{' '}
        With 200 or more, this shows what each floor would have earned.
      </Text>
    </Stack>
  );
}

const ofTypes = (pick: (floor: Floor) => number, { Floors }: Curve) => Floors.map(pick);

function ShownCurve({
  floors: { Auctions, Sampled, Rate },
  curve,
  country,
}: {
  readonly floors: Floors;
  readonly curve: Curve;
  readonly country: string | undefined;
}) {
  const { Summary, Floors, Now, Best, AuctionType } = curve;
  const label = `What each floor would have earned, ${typeNames[AuctionType]?.toLowerCase()}`;
  const at = (floor: number) => Floors.findIndex(({ Floor }) => Floor === floor);
  const isNear = Math.abs(at(Now.Floor) - at(Best.Floor)) < labelledApart;
  const marks =
    Now.Floor === Best.Floor
      ? [{ at: at(Now.Floor), text: 'now, the best' }]
      : [
          { at: at(Now.Floor), text: isNear ? '' : 'now' },
          { at: at(Best.Floor), text: 'best' },
        ];
  return (
    <Stack gap="md">
      <Text fw={600} maw={720}>
        {Summary}
      </Text>
      {Best.Floor !== Now.Floor && (
        <SetFloor floor={Math.round((cents * Best.Floor) / Rate) / cents} country={country} />
      )}
      <Suspense fallback={<Skeleton h={chartHeight} />}>
        <LineChart
          label={label}
          categories={Floors.map(({ Floor }) => floorText(Floor))}
          format={moneyText}
          height={chartHeight}
          marks={marks}
          series={[
            { name: 'Revenue', values: ofTypes(({ Revenue }) => Revenue, curve) },
            { name: 'Likely at least', values: ofTypes(({ Low }) => Low, curve), isBefore: true },
            { name: 'Likely at most', values: ofTypes(({ High }) => High, curve), isBefore: true },
          ]}
        />
      </Suspense>
      <Text size="sm" c="dimmed" maw={720}>
        Floors in USD CPM{Rate === 1 ? '' : `, at ${Rate} USD for one unit of the object's currency`}.{' '}
        {countText(Sampled)} of {countText(Auctions)} auctions with bids were sampled; in 95 of 100 such
        samples, the earnings of all auctions lie between the dashed lines. Bidders see the floor: below that
        day's floor, earnings may be higher than shown. It assumes that every ad was shown.{' '}
        <Anchor component="a" href="#floors-table" size="sm">
          As a table
        </Anchor>
      </Text>
      <FloorTable curve={curve} label={label} />
    </Stack>
  );
}

const floorColumns = (noteOf: (floor: Floor) => string): readonly DataColumn<Floor>[] => [
  { title: 'Floor', form: 'figure', cell: ({ Floor: floor }) => floorText(floor) },
  { title: 'Revenue', form: 'figure', cell: ({ Revenue }) => moneyText(Revenue) },
  { title: 'Likely at least', form: 'figure', cell: ({ Low }) => moneyText(Low) },
  { title: 'Likely at most', form: 'figure', cell: ({ High }) => moneyText(High) },
  { title: 'Sold', form: 'figure', cell: ({ SoldPercent }) => percentText(SoldPercent) },
  { title: 'Note', isHeard: true, cell: noteOf },
];

function FloorTable({
  curve: { Floors, Now, Best },
  label,
}: {
  readonly curve: Curve;
  readonly label: string;
}) {
  const noteOf = ({ Floor: floor }: Floor) =>
    [floor === Now.Floor && 'now', floor === Best.Floor && 'best'].filter(Boolean).join(', ');
  return (
    <DataTable
      label={label}
      id="floors-table"
      columns={floorColumns(noteOf)}
      rows={Floors}
      keyOf={({ Floor: floor }) => floor}
      isStrong={(floor) => noteOf(floor) !== ''}
    />
  );
}
