import type { Access } from '../endpoint/access.ts';
import { type Endpoint, idempotencyOf } from '../endpoint/endpoint.ts';
import { type FailureName, failureKinds } from '../endpoint/failure-kinds.ts';

/** Partners may only call what concerns themselves. */
const isOfRoles = ({ by, right }: Access): boolean => by === 'token' && right !== 'own';

/** By the rest of an endpoint's declaration. */
const isPossible: Readonly<Record<FailureName, (endpoint: Endpoint) => boolean>> = {
  NotJson: ({ method }) => method === 'POST',
  Unauthorized: ({ access }) => access.by !== 'nothing',
  Forbidden: ({ access }) =>
    isOfRoles(access) || access.refusesApiKeys !== undefined || access.isForConsole === true,
  Invalid: ({ method, parameters }) => method === 'POST' || parameters !== 'ignored',
  ChangedMeanwhile: ({ etag }) => etag === 'If-Match',
  TooLarge: ({ method }) => method === 'POST',
  KeyReused: (endpoint) => idempotencyOf(endpoint) === 'once',
  // Every token has a limit of requests (reference, O1).
  TooMany: ({ access }) => access.by === 'token',
  ServerError: () => true,
  Unavailable: () => true,
};

/** `when`: if there is more to say than of its kind. */
type EndpointFailure = readonly [name: FailureName, when?: string];

export function failuresOf(endpoint: Endpoint): readonly EndpointFailure[] {
  const { failures: own = {}, access } = endpoint;
  const ofRole = isOfRoles(access) ? `${failureKinds.Forbidden.description} ` : '';
  const ofKeys = access.refusesApiKeys;
  const told: Endpoint['failures'] = {
    ...(ofKeys === undefined ? {} : { Forbidden: `${ofRole}${ofKeys}` }),
    ...own,
  };
  const names = Object.keys(failureKinds) as FailureName[];
  return names.flatMap((name): EndpointFailure[] => {
    if (told[name] !== undefined) return [[name, told[name]]];
    return isPossible[name](endpoint) ? [[name]] : [];
  });
}
