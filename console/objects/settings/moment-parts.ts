/** A day or a time of the API, in the parts that people choose. */
export interface MomentParts {
  /** As `2027-01-31`; "" for none. */
  readonly day: string;
  /** As `12:00` or `12:00:30`; "" for the whole day. */
  readonly time: string;
  /** As `Z` or `+02:00`; "" for that of the object's time zone. */
  readonly offset: string;
}

const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** The parts of a text; undefined for one that people have to see as it is. */
export function momentParts(text: string): MomentParts | undefined {
  if (text === '') return { day: '', time: '', offset: '' };
  const [, day, time = '', offset = ''] = form.exec(text) ?? [];
  return day === undefined ? undefined : { day, time, offset };
}

/** The text that the API takes. A day without a time has no offset: it is one of the zone. */
export function momentOf({ day, time, offset }: MomentParts): string {
  if (day === '') return '';
  return time === '' ? day : `${day}T${time}${offset}`;
}
