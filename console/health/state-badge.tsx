import { Badge } from '@mantine/core';
import { type State, states } from './health.ts';

/** How an object is, in a word. */
export const StateBadge = ({ state }: { readonly state: State }) => (
  <Badge variant="light" color={states[state].color} miw="max-content">
    {states[state].text}
  </Badge>
);
