import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

/**
 * What every answer tells browsers, whoever writes it: a page in it runs nothing, loads nothing and has an origin of
 * its own. An answer that needs more sends a policy of its own.
 */
export const sandboxHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const isPlain = (headers: string | Headers): headers is OutgoingHttpHeaders =>
  typeof headers === 'object' && !Array.isArray(headers);

/** A response that carries `sandboxHeaders`, unless its own headers say otherwise, in whichever way it is sent. */
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
