import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import { hasMembers } from '../../api/values.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { fieldOf } from '../../fields.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { objectName } from '../../parts/object-name.ts';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { valueText } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';
import { SendingsTab } from '../sendings/sendings-tab.tsx';

/** Of the codes of the Deals API: what keeps a deal from delivering is orange. */
const colors = ['gray', 'teal', 'red', 'teal', 'teal', 'orange', 'gray'] as const;

const pushRequest = (Id: number) => ({ path: 'api/deal/push', body: { Deal: { Id } } }) satisfies ApiRequest;

function usePush() {
  const { entity, object } = useShownObject();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendRequest(pushRequest(object.Id)),
    onSuccess: async () => {
      announce(`${objectName(object)} is on its way to the buyer`);
      await client.invalidateQueries({ queryKey: ['sendings'] });
      await client.invalidateQueries({ queryKey: ['object', entity.key, object.Id] });
    },
  });
}

/** Sends a deal to its buyer, and shows what the buyer said and what was sent. */
export function BuyerTab() {
  const { entity, object } = useShownObject();
  const push = usePush();
  const may = mayChange(useAccount());
  const hasUrl = object.PushUrl !== '';
  const state = fieldOf(entity, 'SellerStatus');
  return (
    <Stack gap="xl" maw={860}>
      <Stack gap="sm">
        <Text c="dimmed">
          Buyers with an endpoint of the IAB Deals API can be sent the deal, instead of a mail with its terms.
          It is sent as it is now; send it again after a change, or to ask for the buyer’s status.
        </Text>
        <Group gap="sm">
          <Button
            leftSection={<Send size={16} />}
            disabled={!may || !hasUrl}
            title={may ? undefined : analystReason}
            loading={push.isPending}
            onClick={() => push.mutate()}
          >
            Send to the buyer
          </Button>
          {state && (
            <Text size="sm">
              as <b>{valueText(state, object.SellerStatus).toLowerCase()}</b>
            </Text>
          )}
          <ApiCall calls={{ Send: pushRequest(object.Id) }} />
        </Group>
        {push.error && <ErrorNote error={push.error} />}
        {!hasUrl && (
          <Alert variant="default" title="Where to send it is not set">
            Set{' '}
            <Link
              to="/console/$entity/$id"
              params={{ entity: entity.key, id: String(object.Id) }}
              search={{ field: 'PushUrl' }}
            >
              PushUrl
            </Link>{' '}
            to the buyer’s endpoint, and PushHeaders to the credentials that it requires.
          </Alert>
        )}
      </Stack>
      <Seats />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Sent
        </Title>
        <SendingsTab />
      </Stack>
    </Stack>
  );
}

const seatColumns: readonly DataColumn<Readonly<Record<string, unknown>>>[] = [
  { title: 'Seat', cell: ({ Seat }) => <bdi>{String(Seat) || 'all'}</bdi> },
  {
    title: 'Status',
    cell: ({ Status, StatusString }) => (
      <Badge color={colors[Number(Status)] ?? 'gray'} variant="light">
        {String(StatusString)}
      </Badge>
    ),
  },
];

function Seats() {
  const { BuyerStatus } = useShownObject().object;
  const seats = Array.isArray(BuyerStatus) ? BuyerStatus.filter(hasMembers) : [];
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        What the buyer says
      </Title>
      {seats.length === 0 ? (
        <Text c="dimmed">Nothing yet.</Text>
      ) : (
        <DataTable
          label="What the buyer says"
          columns={seatColumns}
          rows={seats}
          keyOf={({ Seat, Status }) => `${Seat} ${Status}`}
          minWidth={320}
          maxWidth={480}
        />
      )}
    </Stack>
  );
}
