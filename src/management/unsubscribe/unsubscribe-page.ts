import { hash } from 'node:crypto';
import { type PlainPage, plainPage, plainPagePolicy } from '../../reference/plain-page.ts';
import type { Answer } from '../context.ts';

interface PageText extends Pick<PlainPage, 'title' | 'lines'> {
  readonly status?: number;
  /** Of a button that POSTs to the same address. */
  readonly button?: string;
}

const headers = {
  'content-security-policy': plainPagePolicy("'none'", (text) => hash('sha256', text, 'base64')),
};

export function unsubscribePage({ status = 200, button, ...text }: PageText): Answer {
  const buttons =
    button === undefined ? [] : [{ name: 'List-Unsubscribe', value: 'One-Click', text: button }];
  return { status, body: plainPage({ ...text, buttons }), type: 'text/html; charset=utf-8', headers };
}
