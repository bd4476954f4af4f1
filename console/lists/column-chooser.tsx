import { Button, Checkbox, Popover, ScrollArea, Stack, TextInput } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import type { ShownEntity } from '../field-tables.ts';
import { sentenceOf } from '../fields.ts';
import { choosable, columnTitle } from './columns.ts';

interface ChooserProps {
  readonly entity: ShownEntity;
  readonly names: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Chooses which fields a list shows. */
export function ColumnChooser({ entity, names, onChange }: ChooserProps) {
  const [query, setQuery] = useState('');
  const isFound = (name: string) =>
    `${name} ${columnTitle(name)}`.toLowerCase().includes(query.toLowerCase());
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} />} visibleFrom="sm">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <TextInput
            aria-label="Find a column"
            placeholder="Find a column"
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <ScrollArea.Autosize mah={360}>
            <Stack gap={6} py={4}>
              {choosable(entity)
                .filter((column) => sentenceOf(column)[0] === column && isFound(column.name))
                .map(({ name }) => (
                  <Checkbox
                    key={name}
                    size="xs"
                    label={columnTitle(name)}
                    checked={names.includes(name)}
                    onChange={({ currentTarget }) =>
                      onChange(
                        currentTarget.checked ? [...names, name] : names.filter((other) => other !== name),
                      )
                    }
                  />
                ))}
            </Stack>
          </ScrollArea.Autosize>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
