import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

/** By default a page in an answer runs nothing, loads nothing and has its own origin; other answers override it. */
export const sandboxHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const isPlain = (headers: string | Headers): headers is OutgoingHttpHeaders =>
  typeof headers === 'object' && !Array.isArray(headers);

/** Adds `sandboxHeaders` unless its own headers override them. */
export class SandboxedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, ...rest: [(string | Headers)?, Headers?]): this {
    const [headers = {}] = rest;
    const isFresh = rest.length < 2 && this.getHeaderNames().length === 0;
    if (isFresh && isPlain(headers)) return super.writeHead(status, { ...sandboxHeaders, ...headers });
    for (const [name, value] of Object.entries(sandboxHeaders)) {
      if (!this.hasHeader(name)) this.setHeader(name, value);
    }
    return super.writeHead(status, ...(rest as [Headers?]));
  }
}
