import pg from 'pg';

const retryMs = 250;

/** Reconnects when its connection breaks, and then calls listeners once, because something may have changed. */
export function listenForChanges(connection: pg.ClientConfig, channel: string) {
  const listeners = new Set<() => void>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const tell = () => {
    for (const listener of listeners) listener();
  };
  const again = () => {
    client?.removeAllListeners();
    client?.on('error', () => undefined);
    client?.end().catch(() => undefined);
    client = undefined;
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void listen();
    }, retryMs);
  };
  const listen = async () => {
    const fresh = new pg.Client({ ...connection, application_name: 'bourse-listener' });
    client = fresh;
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', tell);
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
      tell();
    } catch {
      again();
    }
  };
  return {
    /** After every change. Returns a function that stops it. The first listener starts listening. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      if (client === undefined && timer === undefined) void listen();
      return () => {
        listeners.delete(listener);
      };
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      client?.removeAllListeners('end');
      client?.removeAllListeners('error');
      client?.on('error', () => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
