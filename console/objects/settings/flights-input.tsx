import { ActionIcon, Button, Group, Input, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { rowsIn } from '../../api/values.ts';
import { analystReason } from '../../session/session.ts';
import { commonProps, type InputProps } from './input-props.ts';
import { MomentBoxes } from './moment-input.tsx';

const flightsMax = 100;
const dayMs = 86_400_000;

interface Row {
  readonly Start: string;
  readonly End: string;
  readonly Impressions: number;
  readonly Spend: number;
}

const rowOf = ({ Start, End, Impressions, Spend }: Readonly<Record<string, unknown>>): Row => ({
  Start: String(Start ?? ''),
  End: String(End ?? ''),
  Impressions: Number(Impressions ?? 0),
  Spend: Number(Spend ?? 0),
});

/** A day after the last flight's, with the same limits. */
function nextAfter(last: Row | undefined): Row {
  const ended = Date.parse((last?.End ?? '').slice(0, 'YYYY-MM-DD'.length));
  const day = Number.isNaN(ended) ? '' : new Date(ended + dayMs).toISOString().slice(0, 10);
  return { Start: day, End: day, Impressions: last?.Impressions ?? 0, Spend: last?.Spend ?? 0 };
}

interface RowProps {
  readonly row: Row;
  readonly number: number;
  readonly error: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

function FlightRow({ row, number, error, isDisabled, onChange, onRemove }: RowProps) {
  const amount = (member: 'Impressions' | 'Spend', label: string, suffix: string) => (
    <NumberInput
      label={label}
      aria-label={`Flight ${number}: ${label}`}
      size="xs"
      flex="1 1 0"
      hideControls
      thousandSeparator=","
      allowNegative={false}
      allowDecimal={member === 'Spend'}
      suffix={suffix}
      placeholder="Unlimited"
      disabled={isDisabled}
      value={row[member] === 0 ? '' : row[member]}
      onChange={(value) => onChange({ ...row, [member]: Number(value) || 0 })}
    />
  );
  const moment = (member: 'Start' | 'End') => (
    <Stack gap={0} flex="1 1 220px">
      <Input.Label size="xs" labelElement="div">
        {member}
      </Input.Label>
      <MomentBoxes
        label={`Flight ${number}: ${member}`}
        text={row[member]}
        isDisabled={isDisabled}
        hasError={error !== undefined}
        size="xs"
        onChange={(text) => onChange({ ...row, [member]: text })}
      />
    </Stack>
  );
  return (
    <Paper withBorder p="xs">
      <Group gap="sm" align="flex-start">
        {moment('Start')}
        {moment('End')}
        <Group gap="sm" align="flex-start" wrap="nowrap" flex="1 1 280px">
          {amount('Impressions', 'Impressions', '')}
          {amount('Spend', 'Spend', ' USD')}
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={20}
            aria-label={`Remove flight ${number}`}
            disabled={isDisabled}
            onClick={onRemove}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {error && (
        <Text size="xs" c="red.9" mt={4}>
          {error}
        </Text>
      )}
    </Paper>
  );
}

/** Times with limits of their own, one row each. */
export function FlightsInput(props: InputProps) {
  const { value, onChange, isDisabled, errorPath } = props;
  const { id, label, description, error, withAsterisk } = commonProps(props);
  const rows = rowsIn(value).map(rowOf);
  const faulty = Number(/^\[(\d+)\]/.exec(errorPath ?? '')?.[1] ?? Number.NaN);
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={Number.isNaN(faulty) ? error : undefined}
      withAsterisk={withAsterisk}
      labelElement="div"
      id={id}
    >
      <Stack gap="xs" mt={6}>
        {rows.map((row, place) => (
          <FlightRow
            // Rows have no name but their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
            key={place}
            row={row}
            number={place + 1}
            error={place === faulty ? String(error) : undefined}
            isDisabled={isDisabled}
            onChange={(changed) => onChange(rows.with(place, changed))}
            onRemove={() => onChange(rows.toSpliced(place, 1))}
          />
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            disabled={isDisabled || rows.length >= flightsMax}
            title={isDisabled ? analystReason : undefined}
            onClick={() => onChange([...rows, nextAfter(rows.at(-1))])}
          >
            Add a flight
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
