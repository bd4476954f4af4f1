import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createRecentCache } from '../../../../shared/recent-cache.ts';
import type { Guard } from '../guarded-connector.ts';

export interface SocketOptions {
  readonly guard: Guard;
  /** PEM, trusted instead of the system's certificates; for tests. */
  readonly ca?: string | undefined;
}

/** TLS sessions to resume, by origin (RFC 8446 section 2.2). */
const sessionsMax = 4_096;
const defaultPort = { 'http:': 80, 'https:': 443 } as const;

/** Data goes to `onread`, past Node's streams. Sockets do not keep the process alive. Throws for refused hosts. */
export function createSockets({ guard, ca }: SocketOptions) {
  const sessions = createRecentCache<string, Buffer>(sessionsMax);
  return (origin: string, onread: OnReadOpts): { socket: Socket; readyEvent: string } => {
    const { hostname, protocol, port } = new URL(origin);
    const refusal = guard.refusalOf(hostname);
    if (refusal !== undefined) throw refusal;
    const host = hostname.replace(/^\[|\]$/g, '');
    const isTls = protocol === 'https:';
    const to = {
      host,
      port: port === '' ? defaultPort[isTls ? 'https:' : 'http:'] : Number(port),
      lookup: guard.lookup,
      onread,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    };
    if (!isTls) return { socket: connectPlain(to).unref(), readyEvent: 'connect' };
    const socket = connectTls({
      ...to,
      // No server name for an address (RFC 6066 section 3).
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      session: sessions.get(origin),
      ca,
    });
    socket.on('session', (session) => sessions.set(origin, session));
    return { socket: socket.unref(), readyEvent: 'secureConnect' };
  };
}
