import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server got it. */
export interface Received {
  readonly to: readonly string[];
  readonly text: string;
}

/** A real SMTP server that keeps what it gets. */
export async function startMailServer() {
  const mails: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { url: `smtp://127.0.0.1:${port}`, mails, close };
}

/** The headers of a mail, with their lines put together. */
export const headersOf = ({ text }: Received): string =>
  text.slice(0, text.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');

const decodings: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text, 'base64').toString(),
  'quoted-printable': (text) =>
    Buffer.from(
      text
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      'latin1',
    ).toString(),
};

/** A part of a mail, or the whole of one: its headers, and its content. */
function decoded(part: string): { readonly headers: string; readonly content: string } {
  const [headers = '', ...rest] = part.trimStart().split('\r\n\r\n');
  const [, encoding = '7bit'] = /content-transfer-encoding: (\S+)/i.exec(headers) ?? [];
  const body = rest.join('\r\n\r\n');
  return { headers: headers.replaceAll(/\r\n[ \t]+/g, ' '), content: decodings[encoding]?.(body) ?? body };
}

const partsOf = ({ text }: Received): readonly string[] => {
  const [, boundary] = /boundary="([^"]+)"/.exec(text) ?? [];
  return boundary === undefined ? [text] : text.split(`--${boundary}`);
};

/** What a mail says, without what is attached. */
export const textOf = (mail: Received | undefined): string => {
  const part = mail && partsOf(mail).find((one) => /content-type: text\/plain/i.test(one));
  return part === undefined ? '' : decoded(part).content;
};

/** The attached file of a mail: its content, and the headers of its part. */
export const attachmentOf = (mail: Received): ReturnType<typeof decoded> =>
  decoded(partsOf(mail).find((one) => /content-disposition: attachment/i.test(one)) ?? '');

/** What a webhook was sent. */
export interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps what is posted to it, and answers by the path. */
export async function startWebhook() {
  const posts: Posted[] = [];
  /** The status of the next answers; 200 where there is none. */
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    posts.push({ headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}/report`, posts, statuses, close };
}
