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

type Form = 'moment' | 'time' | 'day' | 'offset';

const optionsOf: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  time: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  offset: { timeZoneName: 'shortOffset' },
};

const forms = new Map<string, Intl.DateTimeFormat>();

function formOf(form: Form, timeZone: string): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const known = forms.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...optionsOf[form], timeZone });
  forms.set(key, known);
  return known;
}

/** How far a zone is from UTC at that time, as `UTC+1`. */
export function offsetText(zone: string, time: Date | number = Date.now()): string {
  const parts = formOf('offset', zone).formatToParts(time);
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC');
}

/** A time in a zone; with its zone where date and time are shown. */
export function timeText(
  time: Date | number,
  zone: string,
  form: Exclude<Form, 'offset'> = 'moment',
): string {
  const text = formOf(form, zone).format(time);
  return form === 'moment' ? `${text} ${offsetText(zone, time)}` : text;
}
