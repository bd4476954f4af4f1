import { Box } from '@mantine/core';
import { ApiCall } from '../api-call/api-call.tsx';
import { sessionsRequest } from './people.ts';
import { Section } from './section.tsx';
import { SessionRows } from './session-rows.tsx';

export function SessionsTab() {
  return (
    <Box maw={860}>
      <Section
        title="Where you are logged in"
        text="Browsers and access tokens that act for you. A session ends after an hour without use, and after twelve hours in any case. End sessions that you do not recognize, and change your password."
        action={<ApiCall calls={{ 'List sessions': sessionsRequest() }} />}
      >
        <SessionRows />
      </Section>
    </Box>
  );
}
