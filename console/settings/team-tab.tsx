import { Box, Stack } from '@mantine/core';
import { ApiCall } from '../api-call/api-call.tsx';
import { accountRequest } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { Facts } from './facts.tsx';
import { Section } from './section.tsx';
import { TeamForm } from './team-form.tsx';

export function TeamTab() {
  const { Team } = useAccount();
  const { Id, Name, Country, City, ZipCode, Address, Phone } = Team;
  return (
    <Box maw={640}>
      <Stack gap="xl">
        <Section
          title={Name}
          text="A team owns objects, users and keys; no team sees those of another. The operator of the server names a team when adding it."
          action={<ApiCall calls={{ 'Fetch the team': accountRequest }} />}
        >
          <Facts
            facts={[
              { name: 'ID', value: String(Id) },
              { name: 'Country', value: Country },
              { name: 'City', value: [ZipCode, City].filter(Boolean).join(' ') },
              { name: 'Address', value: Address },
              { name: 'Phone', value: Phone },
            ].filter(({ value }) => value !== '')}
          />
        </Section>
        <TeamForm />
      </Stack>
    </Box>
  );
}
