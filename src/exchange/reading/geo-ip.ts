import { open } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { IpAddress } from '../opportunity.ts';
import { countryCode } from './country-code.ts';

/** Alpha-2; `""` = unknown. */
export type CountryOf = (ip: IpAddress) => string;

/** A MaxMind DB file in memory that threads share. */
export interface GeoIpFile {
  readonly bytes: SharedArrayBuffer;
  /** As `geo-whois-asn-country` or `GeoLite2-Country`. */
  readonly database: string;
  readonly builtMs: number;
  /** The one that comes with Bourse, not the operator's own. */
  readonly isBuiltIn: boolean;
}

const recordsMax = 20_000;
const builtIn = 'geo-whois-asn-country';
const builtInUrl = () =>
  import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');

type Names = { readonly iso_code?: unknown };
/** MaxMind's and DB-IP's records, and flat ones with bare codes. */
type Row = {
  readonly country?: unknown;
  readonly country_code?: unknown;
  readonly registered_country?: unknown;
};

function codeIn(value: unknown): string {
  if (typeof value === 'string') return countryCode(value);
  const { iso_code: code } = (value ?? {}) as Names;
  return typeof code === 'string' ? countryCode(code) : '';
}

function countryIn({ country, country_code, registered_country }: Row): string {
  return codeIn(country) || codeIn(country_code) || codeIn(registered_country);
}

function readerOf(bytes: SharedArrayBuffer): Reader<never> {
  const reader = new Reader<never>(Buffer.from(bytes), { cache: createRecentCache(recordsMax) });
  const { searchTreeSize, ipVersion } = reader.metadata;
  if (searchTreeSize > bytes.byteLength || (ipVersion !== 4 && ipVersion !== 6))
    throw new Error('it is incomplete');
  return reader;
}

async function bytesOf(path: string | URL): Promise<SharedArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = new SharedArrayBuffer(size);
    const { bytesRead } = await file.read(new Uint8Array(bytes), 0, size, 0);
    if (bytesRead < size) throw new Error('it changed while it was read');
    return bytes;
  } finally {
    await file.close();
  }
}

/** By default the one that comes with Bourse. Rejects with a text for the operator. */
export async function readGeoIp(path?: string): Promise<GeoIpFile> {
  const isBuiltIn = path === undefined;
  try {
    const bytes = await bytesOf(path ?? new URL(builtInUrl()));
    const { databaseType, buildEpoch } = readerOf(bytes).metadata;
    return { bytes, database: isBuiltIn ? builtIn : databaseType, builtMs: buildEpoch.getTime(), isBuiltIn };
  } catch (error) {
    const { message } = error as Error;
    const text = isBuiltIn
      ? `the country database of the package cannot be read: ${message}; install Bourse again, or set BOURSE_GEOIP_DB`
      : `BOURSE_GEOIP_DB must name a MaxMind DB file; ${path}: ${message}`;
    throw new Error(text, { cause: error });
  }
}

/** Private, for documentation and the like: in no country, though registries may list whoever reserved them. */
const isSpecial = ({ bytes }: IpAddress): boolean => ipaddr.fromByteArray([...bytes]).range() !== 'unicast';

/** Broken records are unknown countries. An operator's own file may name the countries of private networks. */
export function countriesIn({ bytes, isBuiltIn }: GeoIpFile): CountryOf {
  const reader = readerOf(bytes);
  return (ip) => {
    if (ip.version > reader.metadata.ipVersion || (isBuiltIn && isSpecial(ip))) return '';
    try {
      const row: Row | null = reader.get(ip.text);
      return row === null ? '' : countryIn(row);
    } catch {
      return '';
    }
  };
}
