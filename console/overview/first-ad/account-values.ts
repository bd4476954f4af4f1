import type { Values } from '../../api/objects.ts';

/** A name to log in to statistics with, made of a company's. */
const usernameOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 48) || 'account';

/** What a publisher or advertiser needs to be added, of which the way asks only name and country. */
export const accountValues = (
  name: string,
  country: string,
  mail: string,
  taken: readonly Values[],
): Values => {
  const wanted = usernameOf(name);
  const names = new Set(taken.map(({ Username }) => String(Username).toLowerCase()));
  const numbered = (number: number): string =>
    names.has(`${wanted}-${number}`) ? numbered(number + 1) : `${wanted}-${number}`;
  return { Name: name, Country: country, Mail: mail, Username: names.has(wanted) ? numbered(2) : wanted };
};
