import type { Changed } from '../../api/answers.ts';
import { type ApiRequest, CallError, errorOf, ownHeaders } from '../../api/call.ts';
import type { Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

const sendable = (values: Values) =>
  Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
  );

/** A list with its lines as a form, as programs send it. A `tag` refuses it where another has changed the list meanwhile. */
export const linesRequest = (
  { path }: ShownEntity,
  operation: 'add' | 'update',
  values: Values,
  lines: Blob,
  tag?: string,
) =>
  ({
    path: `api/${path}/${operation}`,
    form: Object.fromEntries(sendable(values)),
    file: { member: 'File', name: lines instanceof File ? lines.name : 'list.txt' },
    ...(tag && { headers: { 'If-Match': tag } }),
  }) satisfies ApiRequest;

export type LinesRequest = ReturnType<typeof linesRequest>;

export interface SendOptions {
  /** Says that a repetition is the same request. */
  readonly key: string;
  /** Is told the share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a list with its lines, with progress; answers the body. Rejects with `CallError`, or as aborted. */
export function sendLines(
  { path, form, file, headers }: LinesRequest,
  lines: Blob,
  { key, onProgress, signal }: SendOptions,
): Promise<Changed> {
  const { promise, resolve, reject } = Promise.withResolvers<Changed>();
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.append(name, String(value));
  body.append(file.member, lines, file.name);
  // Only this tells how much is sent; `fetch` does not.
  const request = new XMLHttpRequest();
  request.open('POST', path);
  for (const [name, value] of Object.entries({ ...ownHeaders, ...headers, 'idempotency-key': key }))
    request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  request.upload.addEventListener('load', () => onProgress(1));
  request.addEventListener('error', () =>
    reject(new CallError(0, 'The upload was interrupted. Your choice is kept; try again.')),
  );
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('load', async () => {
    const { status, responseText } = request;
    if (status !== 200) return reject(await errorOf(new Response(responseText, { status })));
    resolve(JSON.parse(responseText));
  });
  signal.addEventListener('abort', () => request.abort());
  request.send(body);
  return promise;
}
