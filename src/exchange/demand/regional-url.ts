const suffixes: Readonly<Record<string, string>> = { 'us-east': 'UsEast', eu: 'Eu', apac: 'Apac' };

const urlAt = (document: Readonly<Record<string, unknown>>, field: string): string | undefined => {
  const url = document[field];
  return typeof url === 'string' && url !== '' ? url : undefined;
};

/**
 * The URL of a region among `<prefix>UsEast`, `<prefix>Eu` and `<prefix>Apac`; where it is not set, or the region is
 * none of these, the first that is. Undefined where none is.
 */
export function regionalUrl(
  document: Readonly<Record<string, unknown>>,
  prefix: string,
  region: string,
): string | undefined {
  const own = suffixes[region];
  const fields = [own, ...Object.values(suffixes)].filter((suffix) => suffix !== undefined);
  for (const suffix of fields) {
    const url = urlAt(document, prefix + suffix);
    if (url !== undefined) return url;
  }
  return undefined;
}
