import { Radio, Stack } from '@mantine/core';
import { roleNames, roleTexts } from '../../session/session.ts';

interface RoleProps {
  readonly value: number;
  readonly error: string | undefined;
  readonly onChange: (role: number) => void;
}

/** What somebody may do. */
export function RoleInput({ value, error, onChange }: RoleProps) {
  return (
    <Radio.Group label="Role" value={String(value)} error={error} onChange={(role) => onChange(Number(role))}>
      <Stack gap="xs" mt={6}>
        {roleNames.map((name, role) => (
          <Radio key={name} value={String(role)} label={name} description={roleTexts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
