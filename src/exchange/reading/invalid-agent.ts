import type { InvalidAgent } from '../opportunity.ts';
import type { Caller } from './caller.ts';
import type { UserAgent } from './user-agent.ts';

/** Whether a request is invalid traffic by its user agent. One described by a server may lack it. */
export const invalidAgentOf = (
  caller: Pick<Caller, 'lacksUserAgent'>,
  userAgent: string,
  { invalid }: UserAgent,
): InvalidAgent | undefined => (userAgent === '' && caller.lacksUserAgent ? 'impossible_agent' : invalid);
