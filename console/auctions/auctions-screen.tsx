import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { reasonHelp } from '../../src/reference/reason-help.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { SidesInput } from '../funnel/sides-input.tsx';
import { HelpText } from '../parts/help-text.tsx';
import { reasonText } from '../parts/reason-text.ts';
import { auctionsRequest } from './auctions.ts';
import type { AuctionsSearch } from './auctions-search.ts';
import { HeldAuctions } from './held-auctions.tsx';

const reasons: Readonly<Record<string, string>> = reasonHelp;
const reasonOptions = Object.keys(reasons).map((value) => ({ value, label: reasonText(value) }));

/** The last auctions, sampled: of a supply object, with a demand object, refused for a reason. */
export function AuctionsScreen() {
  const search = useSearch({ from: '/console/auctions' });
  const navigate = useNavigate();
  const show = (changed: AuctionsSearch) =>
    void navigate({ to: '/console/auctions', search: { ...search, ...changed }, replace: true });
  const { reason, supply, demand } = search;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h3">
          Sampled auctions
        </Title>
        <ApiCall calls={{ 'Fetch these auctions': auctionsRequest(search) }} />
      </Group>
      <Group gap="sm" align="flex-end">
        <SidesInput
          supply={supply}
          demand={demand}
          onChange={(sides) => show({ ...sides, auction: undefined })}
        />
        <Select
          w={220}
          label="Refused for"
          placeholder="Any reason, or none"
          searchable
          clearable
          data={reasonOptions}
          value={reason ?? null}
          onChange={(chosen) => show({ reason: chosen ?? undefined, refused: undefined, auction: undefined })}
        />
      </Group>
      {reason !== undefined && (
        <Text size="sm" maw={720}>
          <b>{reasonText(reason)}</b>
          {search.refused === 'request' && ', of the whole request'}:{' '}
          <HelpText text={reasons[reason] ?? ''} />
        </Text>
      )}
      {(supply ?? demand) !== undefined && (
        <Text size="sm">
          <Link to="/console/funnel" search={{ supply, demand }}>
            The funnel of these
          </Link>
        </Text>
      )}
      <HeldAuctions search={search} onChoose={(auction) => show({ auction })} />
    </Stack>
  );
}
