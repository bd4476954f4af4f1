import type { OverloadJudge } from '../../src/management/http/overload.ts';

/** A server with this judge serves however late it comes to it: other work of the machine fails no test. */
export const unhurried: OverloadJudge = { note: () => undefined, isOverloaded: () => false };
