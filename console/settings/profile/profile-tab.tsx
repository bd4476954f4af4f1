import { Stack } from '@mantine/core';
import { ZoneMenu } from '../../shell/zone-menu.tsx';
import { Section } from '../section.tsx';
import { NamesForm } from './names-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** What a user says of oneself, and how one logs in. */
export function ProfileTab() {
  return (
    <Stack gap="xl" maw={640}>
      <NamesForm />
      <Section
        title="Time zone"
        text="Times in this browser are shown in this zone. Daily limits go by UTC, or by the time zone of what they limit."
      >
        <ZoneMenu isNamed />
      </Section>
      <PasswordForm />
      <SecondFactor />
    </Stack>
  );
}
