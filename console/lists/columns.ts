import { useLocalStorage } from '@mantine/hooks';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { figureColumns, moneyColumns } from './figure-columns.ts';

const figuresMax = 3;
const countsMax = 3;
const termsOfDeals = ['Code', 'Type', 'Price', 'SellerStatus'];

/** What a list shows unless its user chooses: the owner, the terms of a deal, what kind it is, and its first figures and counts. */
function standardNames(entity: ShownEntity): readonly string[] {
  const { owner, side } = entity;
  const named = (place: ShownField['place']) =>
    fieldsOf(entity)
      .filter((field) => field.place === place)
      .map(({ name }) => name);
  return [
    ...(owner ? [`${owner.entity}Name`] : []),
    ...(side === 'deal' ? termsOfDeals : []),
    ...(side === 'account' ? moneyColumns : []),
    ...named('statistic').slice(0, figuresMax),
    ...named('count').slice(0, countsMax),
    ...named('lineCount'),
  ];
}

/** An ID beside which the name is a field of its own: of the owner, of the account manager. */
const isNamed = ({ owner }: ShownEntity, { name, place, references }: ShownField) =>
  name === owner?.field || (place === 'manager' && references !== undefined);

/** Fields, and figures that are shown like them. */
const listable = (entity: ShownEntity): readonly ShownField[] => {
  const fields = fieldsOf(entity);
  return [...fields, ...figureColumns(entity, fields)];
};

/** The fields that a list can show as columns: not texts of lists, nor what the row or a name shows anyway. */
export const choosable = (entity: ShownEntity): readonly ShownField[] =>
  listable(entity).filter(
    (field) =>
      field.place !== 'listText' &&
      !field.isWriteOnly &&
      field.place !== 'regionUrls' &&
      !['Name', 'Status', 'StatusString'].includes(field.name) &&
      !isNamed(entity, field),
  );

/** The names of the columns that this browser's user wants of an entity. */
export function useColumnNames(entity: ShownEntity) {
  return useLocalStorage<readonly string[]>({
    key: `bourse-columns-${entity.key}`,
    defaultValue: standardNames(entity),
    getInitialValueInEffect: false,
  });
}

/** The columns of these names; those that there are no more are left out. */
export const columnsOf = (entity: ShownEntity, names: readonly string[]): readonly ShownField[] =>
  names.flatMap((name) => listable(entity).find((field) => field.name === name) ?? []);
