import { useLocalStorage } from '@mantine/hooks';
import { fieldOf, type ShownEntity, type ShownField } from '../field-tables.ts';

const figuresMax = 3;
const countsMax = 3;

/** What a list shows unless its user chooses: the owner, what kind it is, and its first figures and counts. */
function standardNames({ fields, owner }: ShownEntity): readonly string[] {
  const named = (place: ShownField['place']) =>
    fields.filter((field) => field.place === place).map(({ name }) => name);
  return [
    ...(owner ? [`${owner.entity}Name`] : []),
    ...named('statistic').slice(0, figuresMax),
    ...named('count').slice(0, countsMax),
    ...named('lineCount'),
  ];
}

/** The fields that a list can show as columns: not texts of lists, nor what the row shows anyway. */
export const choosable = ({ fields }: ShownEntity): readonly ShownField[] =>
  fields.filter(
    ({ name, place }) =>
      place !== 'listText' && place !== 'regionUrls' && !['Name', 'Status', 'StatusString'].includes(name),
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
  names.flatMap((name) => fieldOf(entity, name) ?? []);
