import { createTransport } from 'nodemailer';
import type { Parcel, Send } from './parcel.ts';

/** Where mail is handed in, and whom it is from. */
export interface MailOptions {
  /** `smtp://` or `smtps://`, with credentials where the server wants some. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Part of the IDs of messages, so that no two installations give the same. */
  readonly host: () => string;
}

const waitMs = 20_000;

/** A text that stands in one line. */
const inLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function textOf({ name, period, rows }: Parcel): string {
  const told =
    rows === 0
      ? 'There are no rows: nothing was counted that this report asks for.'
      : `${rows === 1 ? '1 row' : `${rows} rows`}, attached as CSV.`;
  return `${inLine(name)}\n${period}\n\n${told}\n`;
}

/** Sends reports by mail, as attached CSV. Names are data: they cannot add a header or a file. */
export function createMailer({ smtpUrl, from, host }: MailOptions): { readonly send: Send; close(): void } {
  const transport = createTransport(smtpUrl, {
    from: { name: '', address: from },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(target, parcel, { id }) {
      const { name, period, fileName, rows, text } = parcel;
      const attached = { filename: fileName, content: text, contentType: 'text/csv; charset=utf-8' };
      try {
        await transport.sendMail({
          to: { name: '', address: target },
          subject: inLine(`${name}: ${period}`),
          messageId: `<sending-${id}@${host()}>`,
          text: textOf(parcel),
          attachments: rows === 0 ? [] : [attached],
        });
        return '';
      } catch (error) {
        return `the mail server did not take it: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    close: () => transport.close(),
  };
}

/** The URL of a mail server with bounds on waiting, unless it has its own. */
export function withBounds(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(waitMs));
  }
  return url.href;
}
