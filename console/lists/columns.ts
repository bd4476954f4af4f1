import { useLocalStorage } from '@mantine/hooks';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { fieldOf, fieldsOf, figuresOf, type SentencePart, sentenceOf } from '../fields.ts';
import { titleOf } from '../parts/value-text.ts';

/** A field, or a figure like `Today.Revenue`. */
export type ListColumn = SentencePart;

export const healthColumn = 'Health.State';
const standardFigures = [healthColumn, 'Today.Requests', 'Today.Impressions', 'Today.Revenue'];
/** Of all that an account owns. */
const moneyFigures = ['Today', 'Yesterday'].flatMap((day) =>
  ['Cost', 'Revenue', 'Profit'].map((name) => `${day}.${name}`),
);
const fieldFiguresMax = 3;
const countsMax = 3;
const termsOf: Readonly<Partial<Record<ShownEntity['side'], readonly string[]>>> = {
  deal: ['Code', 'Type', 'Price', 'SellerStatus'],
  floor: ['Priority', 'FloorInForce', 'Currency', 'SkipPercent'],
};

/** What a list shows unless its user chooses: health, the owner, the terms of a deal or floor rule, today's figures, and its first counts. */
function standardNames(entity: ShownEntity): readonly string[] {
  const { owner, side } = entity;
  const figures = figuresOf(entity).map(({ name }) => name);
  const named = (place: ShownField['place']) =>
    fieldsOf(entity)
      .filter((field) => field.place === place)
      .map(({ name }) => name);
  const standard = side === 'account' ? [healthColumn, ...moneyFigures] : standardFigures;
  const [health, ...others] = standard.map((name) => (figures.includes(name) ? [name] : []));
  return [
    ...(health ?? []),
    ...(owner ? [`${owner.entity}Name`] : []),
    ...(termsOf[side] ?? []),
    ...(figures.length > 0 ? others.flat() : named('statistic').slice(0, fieldFiguresMax)),
    ...named('count').slice(0, countsMax),
    ...named('lineCount'),
  ];
}

/** An ID beside which the name is a field of its own: of the owner, of the account manager. */
const isNamed = ({ owner }: ShownEntity, { name, place, references }: ShownField) =>
  name === owner?.field || (place === 'manager' && references !== undefined);

/** The figure that a field of today or yesterday repeats, as `Today.Revenue` for `TodayRevenue`. */
const figureName = (name: string) => name.replace(/^(Today|Yesterday)(?=[A-Z])/, '$1.');

const figureOf = (entity: ShownEntity, name: string) =>
  figuresOf(entity).find((figure) => figure.name === figureName(name));

/** The figures and fields that a list can show as columns: not texts of lists, nor what the row or a name shows anyway. */
export const choosable = (entity: ShownEntity): readonly ListColumn[] => [
  ...figuresOf(entity),
  ...fieldsOf(entity).filter(
    (field) =>
      field.place !== 'listText' &&
      !field.isWriteOnly &&
      field.place !== 'regionUrls' &&
      !['Name', 'Status', 'StatusString'].includes(field.name) &&
      !isNamed(entity, field) &&
      !figureOf(entity, field.name),
  ),
];

/** Of that name, whether lists offer it or not. */
export const columnOf = (entity: ShownEntity, name: string): ListColumn | undefined =>
  figureOf(entity, name) ?? fieldOf(entity, name);

/** The names of the columns that this browser's user wants of an entity. */
export function useColumnNames(entity: ShownEntity) {
  return useLocalStorage<readonly string[]>({
    key: `bourse-columns-${entity.key}`,
    defaultValue: standardNames(entity),
    getInitialValueInEffect: false,
  });
}

/** The columns of these names, each once, a sentence by its first field; those that there are no more are left out. */
export const columnsOf = (entity: ShownEntity, names: readonly string[]): readonly ListColumn[] => {
  const columns = names.flatMap((name) => columnOf(entity, name) ?? []);
  return [...new Set(columns.map((column) => sentenceOf(column)[0]))];
};

/** As it stands in headings, like `Revenue today`. */
export function columnTitle(name: string): string {
  const [of = '', figure] = name.split('.');
  if (figure === undefined) return titleOf(name);
  return name === healthColumn ? of : `${titleOf(figure)} ${of.toLowerCase()}`;
}
