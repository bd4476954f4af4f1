import { CallError, errorOf, ownHeaders } from '../../api/call.ts';
import type { Stored, Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';

/** How a list's lines are sent. */
export interface SendOptions {
  /** Tag of the list that the change was made to; another's change meanwhile refuses it. */
  readonly tag?: string | undefined;
  /** Says that a repetition is the same request. */
  readonly key: string;
  /** Is told the share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

const isSendable = (value: unknown) => typeof value === 'string' || typeof value === 'number';

function formOf(values: Values, lines: Blob, name: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(values)) {
    if (isSendable(value)) form.append(field, String(value));
  }
  form.append('File', lines, name);
  return form;
}

/** Sends a list with its lines as a form, as scripts do, with progress. Rejects with `CallError`, or as aborted. */
export function sendLines(
  { path, wrapper }: ShownEntity,
  operation: 'add' | 'update',
  values: Values,
  lines: Blob,
  { tag, key, onProgress, signal }: SendOptions,
): Promise<Stored> {
  const { promise, resolve, reject } = Promise.withResolvers<Stored>();
  // Only this tells how much is sent; `fetch` does not.
  const request = new XMLHttpRequest();
  request.open('POST', `api/${path}/${operation}`);
  const headers = { ...ownHeaders, 'idempotency-key': key, ...(tag && { 'if-match': tag }) };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  request.upload.addEventListener('load', () => onProgress(1));
  request.addEventListener('error', () =>
    reject(new CallError(0, 'The upload broke off. What you chose is kept; try it again.')),
  );
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('load', async () => {
    const { status, responseText } = request;
    if (status !== 200) return reject(await errorOf(new Response(responseText, { status })));
    resolve(JSON.parse(responseText)[wrapper]);
  });
  signal.addEventListener('abort', () => request.abort());
  request.send(formOf(values, lines, lines instanceof File ? lines.name : 'list.txt'));
  return promise;
}
