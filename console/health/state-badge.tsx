import { Badge } from '@mantine/core';
import type { HealthState } from '../../src/reference/health-states.ts';
import { states } from './health.ts';

/** How an object is, in a word. */
export const StateBadge = ({ state }: { readonly state: HealthState }) => (
  <Badge variant="light" color={states[state].color} miw="max-content">
    {states[state].text}
  </Badge>
);
