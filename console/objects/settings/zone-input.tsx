import { type ComboboxItem, Group, type OptionsFilter, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { offsetText, zoneName } from '../../parts/zone-text.ts';
import { isZoneFound, zones } from '../../parts/zones.ts';
import { boxProps, type InputProps } from './input-props.ts';

const shownMax = 60;

const optionOf = (zone: string) => ({ value: zone, label: zoneName(zone) });

/** What stands in the box is no query: all are shown until something else is typed. */
const found: OptionsFilter = ({ options, search, limit }) => {
  const all = options as readonly ComboboxItem[];
  const isChosen = all.some(({ label }) => label === search);
  return all.filter(({ value }) => isChosen || isZoneFound(value, search)).slice(0, limit);
};

/** Chooses a time zone by its city or its offset; none is UTC. */
export function ZoneInput(props: InputProps) {
  const { value, onChange } = props;
  const zone = typeof value === 'string' ? value : '';
  // Hundreds of names are made once somebody looks for one.
  const [isOpen, setOpen] = useState(false);
  const known = isOpen ? zones() : [];
  const listed = zone === '' || known.includes(zone) ? known : [zone, ...known];
  return (
    <Select
      {...boxProps(props)}
      data={listed.map(optionOf)}
      placeholder="UTC"
      searchable
      clearable
      limit={shownMax}
      filter={found}
      nothingFoundMessage="There is no such zone"
      onDropdownOpen={() => setOpen(true)}
      {...(zone !== '' && { leftSection: <Offset zone={zone} />, leftSectionWidth: 90 })}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>{option.label}</span>
          <Offset zone={option.value} />
        </Group>
      )}
      value={zone === '' ? null : zone}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

const Offset = ({ zone }: { readonly zone: string }) => (
  <Text span size="sm" c="dimmed">
    {offsetText(zone)}
  </Text>
);
