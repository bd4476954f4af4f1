import { csvFileName, decimalSigns, separators } from '../../reference/csv.ts';
import type { ReportQuestion } from '../../statistics/asking/question.ts';
import { textInZone, wholeDays } from '../../statistics/asking/zones.ts';
import { type Parameter, text } from '../endpoint/parameter.ts';

/** The times, if they are no whole days. */
export function daysOfQuestion({
  fromMs,
  untilMs,
  zone,
}: ReportQuestion): readonly [from: string, to: string] {
  if (wholeDays(fromMs, untilMs, zone) === undefined)
    return [textInZone(fromMs, zone), textInZone(untilMs, zone)];
  return [textInZone(fromMs, zone).slice(0, 10), textInZone(untilMs - 1, zone).slice(0, 10)];
}

/** For programs that only know ASCII. */
const asciiOf = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[-_]+/, '');

/** RFC 6266; the name has only letters, digits, `-_.`. */
const attachment = (name: string) =>
  `attachment; filename="${asciiOf(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`;

/** The file is named after the report and its days. */
export function csvHeaders(question: ReportQuestion, name = ''): Readonly<Record<string, string>> {
  const title = name || `Report ${question.groups.join(' ')}`;
  return { 'content-disposition': attachment(csvFileName(title, ...daysOfQuestion(question))) };
}

/** In any case, or the sign that the name stands for. */
function signParameter<Name extends string>(
  signs: Readonly<Record<Name, string>>,
  help: string,
): Parameter<Name | ''> {
  const known = Object.entries<string>(signs) as [Name, string][];
  const names = known.map(([name]) => name);
  const read = (sent: string): Name | '' =>
    known.find(([name, sign]) => sign === sent || name.toLowerCase() === sent.toLowerCase())?.[0] ?? '';
  const Message = `must be ${names.join(' or ')}`;
  return {
    help,
    read,
    schema: { type: 'string', enum: names },
    example: known[0]?.[0] ?? '',
    check: (sent) => (sent === '' || read(sent) ? undefined : { Code: 'out_of_range', Message }),
  };
}

const nameCharactersMax = 200;

/** How a question's CSV is written and named. */
export const csvParameters = {
  Separator: signParameter(separators, 'The separator between the cells of the CSV; absent = Comma'),
  Decimal: signParameter(
    decimalSigns,
    'The decimal separator of numbers in the CSV; absent = Point. German and French spreadsheets expect Semicolon and Comma',
  ),
  Name: text({
    help: 'Name of the CSV file, to which its days are added; absent = named after its groups',
    schema: { type: 'string', maxLength: nameCharactersMax },
    example: 'Overfeed',
    check: (name) =>
      name.length > nameCharactersMax
        ? { Code: 'too_long', Message: `must have at most ${nameCharactersMax} characters` }
        : undefined,
  }),
};
