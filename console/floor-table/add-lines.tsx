import { Button, Group, MultiSelect } from '@mantine/core';
import { useState } from 'react';
import {
  type ConditionField,
  type Conditions,
  wordsOf,
} from '../../src/management/floor-files/conditions.ts';
import { countries } from '../../src/reference/countries.ts';
import { deviceTypes } from '../../src/reference/device-types.ts';
import { byLabelOrName } from '../parts/by-label-or-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';

const lines = {
  Countries: {
    label: 'Countries of a new row',
    button: 'Add the row',
    data: [...new Map(countries.map((country) => [country.CC, country])).values()].map(({ CC, Country }) => ({
      value: CC,
      label: `${Country} (${CC})`,
    })),
    of: (chosen: readonly string[]): Conditions => ({ Countries: chosen.map((CC) => ({ CC })) }),
  },
  DeviceTypes: {
    label: 'Devices of a new column',
    button: 'Add the column',
    data: deviceTypes.map(({ Id, Name }) => ({ value: String(Id), label: Name })),
    of: (chosen: readonly string[]): Conditions => ({ DeviceTypes: chosen.map(Number) }),
  },
} as const;

interface AddProps {
  readonly field: ConditionField & keyof typeof lines;
  readonly onAdd: (words: string) => void;
}

/** Adds a row for a country or several, or a column for devices. */
export function AddLine({ field, onAdd }: AddProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const { label, button, data, of } = lines[field];
  const may = mayChange(useAccount());
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" w={{ base: '100%', sm: 'auto' }}>
      <MultiSelect
        label={label}
        flex={1}
        miw={0}
        w={{ sm: 220 }}
        disabled={!may}
        title={may ? undefined : analystReason}
        data={data}
        filter={byLabelOrName}
        searchable
        hidePickedOptions
        limit={100}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        variant="default"
        disabled={!may || chosen.length === 0}
        title={may ? undefined : analystReason}
        onClick={() => {
          onAdd(wordsOf(field, of(chosen)));
          setChosen([]);
        }}
      >
        {button}
      </Button>
    </Group>
  );
}
