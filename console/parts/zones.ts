import { offsetText, zoneName } from './zone-text.ts';

/** The time zones that this browser knows, by their IANA names. */
export const zones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** Whether people mean a zone by a query: words of its name, or of its offset. */
export function isZoneFound(zone: string, query: string): boolean {
  const text = `${zoneName(zone)} ${offsetText(zone)}`.toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}
