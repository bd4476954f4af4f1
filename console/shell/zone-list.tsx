import { Combobox, Text, useCombobox } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { MenuProps } from '../parts/menu-button.tsx';
import { MenuTarget } from '../parts/menu-target.tsx';
import { ownZone, useTimeZone } from '../parts/time-zone.ts';
import { offsetText, zoneName } from '../parts/zone-text.ts';
import { isZoneFound, zones } from '../parts/zones.ts';
import { announce } from './announcements.ts';

const shownMax = 60;

const found = (query: string): readonly string[] =>
  zones()
    .filter((zone) => isZoneFound(zone, query))
    .slice(0, shownMax);

/** Chooses the zone that times are shown in. */
export function ZoneList({ target, position, isOpen, setOpen }: MenuProps) {
  const [zone, choose] = useTimeZone();
  const [query, setQuery] = useState('');
  const box = useCombobox({
    opened: isOpen,
    onOpenedChange: setOpen,
    onDropdownClose: () => box.focusTarget(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is opened and closed, and at no other time
  useEffect(() => {
    if (isOpen) return box.focusSearchInput();
    box.resetSelectedOption();
    setQuery('');
  }, [isOpen]);
  const submit = (chosen: string) => {
    choose(chosen === 'own' ? '' : chosen);
    announce(`Times are shown in ${zoneName(chosen === 'own' ? ownZone() : chosen)}`);
    box.closeDropdown();
  };
  return (
    <Combobox store={box} width={300} position={position} onOptionSubmit={submit}>
      <Combobox.Target withAriaAttributes={false}>
        <MenuTarget of={target} />
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
        <ZoneOption value="own" name={`This computer: ${zoneName(ownZone())}`} zone={ownZone()} />
      )}
      {shown.map((one) => (
        <ZoneOption key={one} value={one} name={zoneName(one)} zone={one} isActive={one === zone} />
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
