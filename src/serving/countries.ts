import { type Config, ConfigurationError } from '../config.ts';
import type { Metric } from '../exchange/metrics/metric.ts';
import { type CountryOf, countriesIn, type GeoIpFile, readGeoIp } from '../exchange/reading/geo-ip.ts';

export interface Countries {
  readonly countryOf: CountryOf;
  /** For the other threads. */
  readonly file: GeoIpFile;
  metrics(): Metric[];
}

const figureOf = ({ database, isBuiltIn, builtMs }: GeoIpFile): Metric => ({
  name: 'bourse_country_database_built_seconds',
  help: 'When the database of countries by IP address was built, in seconds since 1970; source: package = the one of Bourse, file = that of BOURSE_GEOIP_DB',
  type: 'gauge',
  aggregator: 'max',
  values: [{ labels: { database, source: isBuiltIn ? 'package' : 'file' }, value: builtMs / 1000 }],
});

/** Reads the file unless another thread has. Rejects with a `ConfigurationError`. */
export async function openCountries(
  { geoIpDatabase: path }: Pick<Config, 'geoIpDatabase'>,
  known?: GeoIpFile,
): Promise<Countries> {
  const failed = (error: Error) => {
    throw new ConfigurationError(error.message, { cause: error });
  };
  const file = known ?? (await readGeoIp(path).catch(failed));
  return { countryOf: countriesIn(file), file, metrics: () => [figureOf(file)] };
}
