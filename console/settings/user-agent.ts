/** What names itself how; the first that is found counts, since most claim to be several. */
const browsers = {
  'Edg/': 'Edge',
  'OPR/': 'Opera',
  'Firefox/': 'Firefox',
  'Chrome/': 'Chrome',
  'Safari/': 'Safari',
};
const systems = {
  iPhone: 'iPhone',
  iPad: 'iPad',
  Android: 'Android',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
};

const found = (names: Readonly<Record<string, string>>, agent: string) =>
  Object.entries(names).find(([part]) => agent.includes(part))?.[1];

/** A browser in a word or two, as `Firefox on Windows`; other programs by what they call themselves. */
export function agentText(agent: string): string {
  const browser = found(browsers, agent);
  const system = found(systems, agent);
  if (browser) return system ? `${browser} on ${system}` : browser;
  return agent || 'Command line of the server';
}
