import { Alert, Button, Group, List, NativeSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownEntity } from '../../field-tables.ts';
import { blobOf, type Content } from '../../parts/content.ts';
import { countText } from '../../parts/value-text.ts';
import { announce } from '../../shell/announcements.ts';
import { askLines } from './ask-lines.ts';
import { linesText } from './line-count.ts';
import type { ConvertedLines } from './lines-question.ts';

const pauseMs = 400;

/** What becomes of the lines, in sentences. */
function said({ table, lines, entries, taken, what, empty }: ConvertedLines): string {
  const { columns, column, hasHeader } = table;
  const only = columns.length > 1 ? `Column ${columns[column]} of ${columns.length}. ` : '';
  const head = hasHeader ? 'The first line has column names and is left out. ' : '';
  const urls =
    taken > 0 ? `The ${what} is taken from ${countText(taken)} ${taken === 1 ? 'URL' : 'URLs'}. ` : '';
  const none =
    empty > 0 ? `${linesText(empty)} without an entry there ${empty === 1 ? 'is' : 'are'} left out. ` : '';
  return `${only}${head}${urls}${none}${linesText(lines)} become ${countText(entries)} ${entries === 1 ? 'entry' : 'entries'}.`;
}

interface OfferProps {
  readonly entity: ShownEntity;
  readonly lines: Content;
  readonly onChange: (lines: Content) => void;
}

/** Offers to make entries of lines that are a table or addresses of the web, and shows what they would become. */
export function OfferConversion({ entity, lines, onChange }: OfferProps) {
  const [settled] = useDebouncedValue(lines, pauseMs);
  const [chosen, choose] = useState<{ readonly of: Content; readonly column: number }>();
  const column = chosen?.of === settled ? chosen.column : undefined;
  const blob = blobOf(settled);
  const { data: found } = useQuery({
    queryKey: [
      'conversion',
      entity.key,
      settled.file?.name,
      settled.file?.size,
      settled.file?.lastModified,
      settled.text,
      column,
    ],
    queryFn: blob
      ? async () =>
          (await askLines<'conversion'>({ kind: 'conversion', of: blob, list: entity.key, column })) ?? null
      : skipToken,
    placeholderData: (before) => (column === undefined ? undefined : before),
    gcTime: 0,
  });
  if (!found || blobOf(lines) === undefined) return null;
  const convert = () => {
    const name = lines.file?.name ?? 'lines';
    onChange({ text: '', file: new File([found.blob], `${name}, converted`, { type: 'text/plain' }) });
    announce(`Converted: ${linesText(found.entries)}`);
  };
  return (
    <Alert variant="light" color="blue" title="Convert these lines?">
      {found.table.columns.length > 1 && (
        <NativeSelect
          size="xs"
          mb="xs"
          label="Column"
          data={found.table.columns.map((label, index) => ({ value: String(index), label }))}
          value={String(found.table.column)}
          onChange={({ currentTarget }) => choose({ of: settled, column: Number(currentTarget.value) })}
        />
      )}
      <Text size="sm">{said(found)}</Text>
      <List size="sm" listStyleType="none" ff="monospace" my="xs" style={{ overflowWrap: 'anywhere' }}>
        {found.first.map(({ number, from, to }) => (
          <List.Item key={number}>
            <span>{to}</span>
            <Text span display="block" size="xs" c="dimmed" ff="monospace" lineClamp={2} title={from}>
              from line {number}: {from}
            </Text>
          </List.Item>
        ))}
      </List>
      <Group justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={convert}>
          Convert
        </Button>
      </Group>
    </Alert>
  );
}
