type Cookie = readonly [name: string, value: string];

/** Of a `Cookie` header, as sent. */
export function cookiesIn(header: string | undefined = ''): readonly Cookie[] {
  return header.split(';').map((pair): Cookie => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()];
  });
}

/** Paths and partitions may each have one of that name. */
export const cookiesNamed = (wanted: string, header: string | undefined): readonly string[] =>
  cookiesIn(header).flatMap(([name, value]) => (name === wanted ? [value] : []));
