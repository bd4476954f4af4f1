import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { objectQuery, objectsQuery } from '../api/objects.ts';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { objectName } from '../parts/object-name.ts';
import { ruleFieldsOf, scopeOf } from './floor-table.ts';

const shownNames = [
  'Floor',
  'FloorInForce',
  'Auto',
  'Currency',
  'Net',
  'Priority',
  'SkipPercent',
  'Countries',
  'DeviceTypes',
  'SizesListMode',
];

/** The rules of the team, and whose floors a key names. */
export function useFloorTable(entity: ShownEntity, key: string) {
  const fields = useMemo(() => ruleFieldsOf(fieldsOf(entity)), [entity]);
  const [kind = '', id = ''] = key.split(':');
  const owner = fields.owners.some(({ references }) => references === kind) ? entityOf(kind) : undefined;
  const asked = useQuery({
    ...objectQuery(owner ?? entity, Number(id)),
    enabled: owner !== undefined && id !== '',
  });
  const names = [...shownNames, ...fields.owners.map(({ name }) => name), ...fields.others];
  const { data: rules, error } = useQuery(objectsQuery(entity, { fields: names }));
  const object = owner && asked.data?.object;
  const scope = useMemo(
    () => scopeOf(key, object, object ? objectName(object) : '', fields),
    [key, object, fields],
  );
  return { fields, rules, scope, error: error ?? asked.error };
}
