import { readFile } from 'node:fs/promises';
import { Reader } from 'mmdb-lib';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { IpAddress } from '../opportunity.ts';
import { countryCode } from './country-code.ts';

/** Alpha-2; `""` = unknown. */
export type CountryOf = (ip: IpAddress) => string;

const recordsMax = 20_000;

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

function readerOf(file: Buffer): Reader<never> {
  const reader = new Reader<never>(file, { cache: createRecentCache(recordsMax) });
  const { searchTreeSize, ipVersion } = reader.metadata;
  if (searchTreeSize > file.length || (ipVersion !== 4 && ipVersion !== 6))
    throw new Error('it is incomplete');
  return reader;
}

/** A MaxMind DB file, read into memory. Rejects with a text for the operator. Broken records are unknown countries. */
export async function openGeoIp(path: string): Promise<CountryOf> {
  const reader = await readFile(path)
    .then(readerOf)
    .catch((error: Error) => {
      throw new Error(`BOURSE_GEOIP_DB must name a MaxMind DB file; ${path}: ${error.message}`, {
        cause: error,
      });
    });
  return ({ text, version }) => {
    if (version > reader.metadata.ipVersion) return '';
    try {
      const row: Row | null = reader.get(text);
      return row === null ? '' : countryIn(row);
    } catch {
      return '';
    }
  };
}
