import { type AuthOperation, authOperations } from '../operations/auth-schemas.ts';
import type { Failure } from './failures.ts';
import { closedObject, type Json, jsonContent } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { addingParameters } from './parameters.ts';

/** Failures of single operations, besides those that follow from method and body. */
const ownFailures: Readonly<Record<string, readonly Failure[]>> = {
  login: ['TooMany'],
  refresh: ['Forbidden'],
  logout: ['Forbidden'],
};

function failuresOf(name: string, { method, access, path }: AuthOperation): readonly Failure[] {
  const isPost = method === 'POST';
  const takesQuery = path.endsWith('/get');
  return [
    ...(isPost ? (['NotJson'] as const) : []),
    'Unauthorized',
    ...(access.writes ? (['Forbidden'] as const) : []),
    ...(isPost || takesQuery ? (['Invalid'] as const) : []),
    ...(isPost ? (['TooLarge'] as const) : []),
    ...(access.writes ? (['KeyReused'] as const) : []),
    ...(ownFailures[name] ?? []),
    'ServerError',
    'Unavailable',
  ];
}

function bodyOf({ accepts, wrapper, example }: AuthOperation): { requestBody?: Json } {
  if (!accepts) return {};
  const schema = wrapper === undefined ? accepts : closedObject({ [wrapper]: accepts });
  return { requestBody: { required: true, content: jsonContent(schema, { example }) } };
}

/** Every operation under `/api/auth/`. */
export function authDocumentation(): DocumentedOperation[] {
  return Object.entries<AuthOperation>(authOperations).map(([name, operation]) => ({
    method: operation.method,
    path: operation.path,
    operationId: name,
    tag: 'Authentication',
    summary: operation.summary,
    description: operation.help,
    documented: operation.documented,
    isPublic: operation.access.public === true,
    ...(operation.access.writes ? { parameters: addingParameters } : {}),
    ...bodyOf(operation),
    answer: {
      description: 'Done',
      content: jsonContent(operation.returns, { example: operation.answerExample }),
    },
    failures: failuresOf(name, operation),
  }));
}
