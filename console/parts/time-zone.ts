import { useLocalStorage } from '@mantine/hooks';

/** The zone of this computer, as the browser knows it. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const zoneStored = 'bourse-time-zone';

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The zone that times are shown in, by its IANA name, and what chooses another; `""` for that of this computer. */
export function useTimeZone(): readonly [zone: string, choose: (zone: string) => void] {
  const [chosen, choose] = useLocalStorage({
    key: zoneStored,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [chosen !== '' && isZone(chosen) ? chosen : ownZone(), choose];
}
