import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** `0.0.0.0`, `::`, however it is written. */
export function isEveryAddress(host: string): boolean {
  return /^[0:.]+$/.test(host);
}

function ownInterfaces(): Interfaces {
  try {
    return networkInterfaces();
  } catch {
    return {};
  }
}

/** The first that other machines may reach, IPv4 before IPv6; else `localhost`. */
function outwardAddress(interfaces: Interfaces): string {
  const outward = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    // A link-local address (RFC 4291, section 2.5.6) needs an interface's name.
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address));
  const found = outward.find(({ family }) => family === 'IPv4') ?? outward[0];
  return found?.address ?? 'localhost';
}

/** If it listens at every address, by one of the machine's own. */
export function urlAt(host: string, port: number, interfaces: Interfaces = ownInterfaces()): string {
  const address = isEveryAddress(host) ? outwardAddress(interfaces) : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
