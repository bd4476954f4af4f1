import { request } from 'node:http';

/** What a door answers; redirects are not followed. */
export interface DoorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks for a URL as it is, with just these headers; nothing is added, followed or decoded. */
export function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<DoorAnswer> {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end();
  });
}
