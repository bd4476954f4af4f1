import { createTransport } from 'nodemailer';
import type { SendMessage } from '../shared/message.ts';

export interface MailOptions {
  /** `smtp://` or `smtps://`, with credentials if need be. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Part of message IDs, so that no two installations use the same. */
  readonly host: () => string;
}

const waitMs = 20_000;

const inLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** RFC 8058. */
const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Names are data: they cannot add a header or a file. */
export function createMailer({ smtpUrl, from, host }: MailOptions): {
  readonly send: SendMessage;
  close(): void;
} {
  const transport = createTransport(smtpUrl, {
    from: { name: '', address: from },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(target, message, { id }) {
      const { subject, text, file, unsubscribeUrl } = message;
      const attached = file && {
        filename: file.name,
        content: file.text,
        contentType: 'text/csv; charset=utf-8',
      };
      try {
        await transport.sendMail({
          to: { name: '', address: target },
          subject: inLine(subject),
          messageId: `<sending-${id}@${host()}>`,
          text,
          ...(unsubscribeUrl !== undefined && { headers: oneClick(unsubscribeUrl) }),
          attachments: attached ? [attached] : [],
        });
        return { error: '' };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { error: `the mail server did not accept it: ${why}` };
      }
    },
    close: () => transport.close(),
  };
}

/** Bounds on waiting, unless the URL has its own. */
export function withBounds(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(waitMs));
  }
  return url.href;
}
