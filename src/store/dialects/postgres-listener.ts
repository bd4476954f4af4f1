import pg from 'pg';
import { createTimedWork } from '../../shared/timed-work.ts';

const retryMs = 250;

/** Reconnects when its connection breaks, and then calls listeners once, because something may have changed. */
export function listenForChanges(connection: pg.ClientConfig, channel: string) {
  const listeners = new Set<() => void>();
  let client: pg.Client | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const drop = async () => {
    const dropped = client;
    client = undefined;
    dropped?.removeAllListeners();
    dropped?.on('error', () => undefined);
    await dropped?.end().catch(() => undefined);
  };
  const listen = async () => {
    if (client) return;
    client = new pg.Client({ ...connection, application_name: 'bourse-listener' });
    client.on('error', drop);
    client.on('end', drop);
    client.on('notification', tell);
    try {
      await client.connect();
      await client?.query(`listen ${channel}`);
      tell();
    } catch {
      void drop();
    }
  };
  const listening = createTimedWork(retryMs, listen, { end: drop });
  return {
    /** After every change. Returns a function that stops it. The first listener starts listening. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      listening.start(0);
      return () => {
        listeners.delete(listener);
      };
    },
    close: listening.close,
  };
}
