const form = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

const zoneName = (date: Date) =>
  zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** A moment in the zone of whoever looks, which it names. */
export function Moment({ time }: { readonly time: string | number }) {
  const date = new Date(time);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {form.format(date)} {zoneName(date)}
    </time>
  );
}
