import { Radio, Select, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { objectsQuery } from '../../api/objects.ts';
import { entities } from '../../field-tables.ts';
import { faultAt } from '../../parts/faults.ts';
import { objectName, pluralOf } from '../../parts/object-name.ts';
import { partnerRole, roleNames, roleTexts } from '../../session/session.ts';

interface RoleValues {
  readonly Role: number;
  /** The account of a partner; 0 = of none. */
  readonly PublisherId: number;
  readonly AdvertiserId: number;
}

interface RoleProps {
  readonly values: RoleValues;
  readonly error: Error | null;
  readonly onChange: (changed: Partial<RoleValues>) => void;
}

const noAccount = { PublisherId: 0, AdvertiserId: 0 };

/** What somebody may do, and of a partner whose they are. */
export function RoleInput({ values, error, onChange }: RoleProps) {
  return (
    <>
      <Radio.Group
        label="Role"
        value={String(values.Role)}
        error={faultAt(error, 'Role')}
        onChange={(role) => onChange({ Role: Number(role), ...noAccount })}
      >
        <Stack gap="xs" mt={6}>
          {roleNames.map((name, role) => (
            <Radio key={name} value={String(role)} label={name} description={roleTexts[role]} />
          ))}
        </Stack>
      </Radio.Group>
      {values.Role === partnerRole && <AccountInput values={values} error={error} onChange={onChange} />}
    </>
  );
}

const accounts = entities.filter(({ side }) => side === 'account');

/** The publisher or advertiser that a partner belongs to. */
function AccountInput({ values, error, onChange }: RoleProps) {
  const data = useQueries({
    queries: accounts.map((entity) => objectsQuery(entity)),
    combine: (results) =>
      accounts.map((entity, index) => ({
        group: pluralOf(entity),
        items: (results[index]?.data ?? []).map((object) => ({
          value: `${entity.key}Id:${object.Id}`,
          label: `${objectName(object)} (${object.Id})`,
        })),
      })),
  });
  const chosen = Object.keys(noAccount).find((name) => values[name as keyof typeof noAccount] > 0);
  return (
    <Select
      label="Of"
      description="The publisher or advertiser whose objects and figures the partner sees"
      placeholder="Name"
      searchable
      limit={100}
      data={data}
      error={faultAt(error, 'PublisherId') ?? faultAt(error, 'AdvertiserId')}
      value={chosen ? `${chosen}:${values[chosen as keyof typeof noAccount]}` : null}
      onChange={(value) => {
        const [name = '', id = ''] = (value ?? '').split(':');
        onChange({ ...noAccount, ...(name && { [name]: Number(id) }) });
      }}
    />
  );
}
