import { Button, Combobox, Text, useCombobox } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { ownZone, useTimeZone } from '../parts/time-zone.ts';
import { offsetText } from '../parts/zone-text.ts';
import { announce } from './announcements.ts';

const shownMax = 60;
const zones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** Cities that browsers still name as they were called once. */
const renamed: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

const spoken = (zone: string) => (renamed[zone] ?? zone).replaceAll('_', ' ');

function found(query: string): readonly string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (zone: string) => {
    const text = `${spoken(zone)} ${offsetText(zone)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return zones().filter(isFound).slice(0, shownMax);
}

/** Shows which zone times are in, and chooses another one. */
export function ZoneMenu({ isNamed = false }: { readonly isNamed?: boolean }) {
  const [zone, choose] = useTimeZone();
  const [query, setQuery] = useState('');
  const box = useCombobox({
    onDropdownClose() {
      box.resetSelectedOption();
      box.focusTarget();
      setQuery('');
    },
    onDropdownOpen: () => box.focusSearchInput(),
  });
  const submit = (chosen: string) => {
    choose(chosen === 'own' ? '' : chosen);
    announce(`Times are shown in ${spoken(chosen === 'own' ? ownZone() : chosen)}`);
    box.closeDropdown();
  };
  return (
    <Combobox
      store={box}
      width={300}
      position={isNamed ? 'bottom-start' : 'bottom-end'}
      onOptionSubmit={submit}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant={isNamed ? 'default' : 'subtle'}
          color="gray"
          size={isNamed ? 'sm' : 'compact-md'}
          rightSection={<ChevronDown size={14} />}
          aria-haspopup="listbox"
          aria-expanded={box.dropdownOpened}
          aria-label={`Time zone: ${spoken(zone)}, ${offsetText(zone)}`}
          title={`Times are shown in ${spoken(zone)}`}
          onClick={() => box.toggleDropdown()}
        >
          {isNamed && zone !== offsetText(zone) && `${spoken(zone)}, `}
          {offsetText(zone)}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Find a time zone"
          placeholder="City or UTC+2"
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            box.updateSelectedOptionIndex();
          }}
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Time zones">
          {box.dropdownOpened && <ZoneOptions query={query} zone={zone} />}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function ZoneOptions({ query, zone }: { readonly query: string; readonly zone: string }) {
  const shown = found(query);
  return (
    <>
      {query === '' && (
        <ZoneOption value="own" name={`This computer: ${spoken(ownZone())}`} zone={ownZone()} />
      )}
      {shown.map((one) => (
        <ZoneOption key={one} value={one} name={spoken(one)} zone={one} isActive={one === zone} />
      ))}
      {shown.length === 0 && <Combobox.Empty>There is no such zone</Combobox.Empty>}
    </>
  );
}

interface OptionProps {
  readonly value: string;
  readonly name: string;
  readonly zone: string;
  readonly isActive?: boolean;
}

function ZoneOption({ value, name, zone, isActive = false }: OptionProps) {
  return (
    <Combobox.Option value={value} active={isActive} fw={isActive ? 600 : 400}>
      {name}{' '}
      <Text span size="sm" c="dimmed">
        {offsetText(zone)}
      </Text>
    </Combobox.Option>
  );
}
