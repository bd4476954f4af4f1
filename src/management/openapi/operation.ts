import { type Failure, failureResponses } from './failures.ts';
import { headersNamed, tokenHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** One operation as the document tells of it. */
export interface DocumentedOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Name in clients, unique. */
  readonly operationId: string;
  /** The resource it belongs to. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Whether the specification lists it (section 4); the others are our extensions. */
  readonly documented: boolean;
  /** Whether it is served without a token. */
  readonly isPublic?: boolean;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  /** The answer with status 200. */
  readonly answer: Json;
  /** Answers with other statuses that are no failures. */
  readonly otherAnswers?: Readonly<Record<number, Json>>;
  readonly failures: readonly Failure[];
}

/** Whether an `Idempotency-Key` has an effect: only then can it be refused. */
function isRepeatable({ failures }: DocumentedOperation): boolean {
  return failures.includes('KeyReused');
}

/** An answer with the general headers added; a reference stays as it is, since its component has them. */
function answerWith(operation: DocumentedOperation, answer: Json): Json {
  if ('$ref' in answer) return answer;
  const general = operation.isPublic ? headersNamed('X-Request-Id') : tokenHeaders;
  const replayed = isRepeatable(operation) ? headersNamed('Idempotent-Replayed') : {};
  return { ...answer, headers: { ...(answer.headers as Json | undefined), ...replayed, ...general } };
}

function operationObject(operation: DocumentedOperation): Json {
  const { operationId, tag, summary, description, parameters, requestBody, answer } = operation;
  // Every token has a limit of requests (decisions O1).
  const failures = operation.isPublic ? operation.failures : [...operation.failures, 'TooMany' as const];
  const others = Object.entries(operation.otherAnswers ?? {});
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(operation.documented ? {} : { 'x-extension': true }),
    ...(operation.isPublic ? { security: [] } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      200: answerWith(operation, answer),
      ...Object.fromEntries(others.map(([status, other]) => [status, answerWith(operation, other)])),
      ...failureResponses(failures),
    },
  };
}

/** The document's `paths`, in the order of the operations. */
export function pathsOf(operations: readonly DocumentedOperation[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(operation);
    paths[operation.path] = path;
  }
  return paths;
}
