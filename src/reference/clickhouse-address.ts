/** With user and password. */
export interface ClickHouseAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

const ports = { http: 8123, https: 8443 } as const;

/**
 * `clickhouse://user:password@host:port/database?secure=1`; undefined for other text. HTTP port, by default 8123, with
 * `secure=1` 8443.
 */
export function readClickHouseUrl(text: string): ClickHouseAddress | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'clickhouse:' || url.hostname === '' || url.hash !== '') return undefined;
  const { secure = '0', ...others } = Object.fromEntries(url.searchParams);
  if (!['0', '1'].includes(secure) || Object.keys(others).length > 0) return undefined;
  const protocol = secure === '1' ? 'https' : 'http';
  const [database = ''] = url.pathname.slice(1).split('/');
  if (url.pathname.slice(1) !== database) return undefined;
  return {
    url: `${protocol}://${url.hostname}:${url.port || ports[protocol]}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(database) || 'default',
  };
}
