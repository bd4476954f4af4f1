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
        text="Browsers and access tokens that act in your name. A session ends after an hour without use, and after twelve in any case. End those that you don't know, and change your password."
        action={<ApiCall calls={{ 'List sessions': sessionsRequest() }} />}
      >
        <SessionRows />
      </Section>
    </Box>
  );
}
