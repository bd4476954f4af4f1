import { type DemoRow, demoRow } from './demo-row.ts';

const lines = (...entries: readonly string[]) => entries.join('\n');

export const demoLists: readonly DemoRow[] = [
  demoRow('Tag', 'Premium', () => ({ Name: 'Premium', Color: '#b8860b' })),
  demoRow('Tag', 'Trial', () => ({ Name: 'Trial', Color: '#4682b4' })),
  demoRow('DomainList', 'Made for ads', () => ({
    Name: 'Made-for-advertising sites',
    Global: 1,
    ListText: lines('clickparade.example', 'slideshow-daily.example', 'you-wont-believe.example'),
  })),
  demoRow('DomainList', 'Quality news', () => ({
    Name: 'Quality news',
    ListText: lines('nordlicht.example', 'hafenblatt.example', 'kueste-heute.example'),
  })),
  demoRow('AppList', 'Games for children', () => ({
    Name: 'Games for children',
    ListText: lines('com.example.toddlerpuzzle', 'com.example.colouringbook', '1234567890'),
  })),
  demoRow('IpList', 'Data centres', () => ({
    Name: 'Data centres',
    Kind: 2,
    ListText: lines('192.0.2.0/24', '198.51.100.10-198.51.100.99', '203.0.113.7', '2001:db8::/32'),
  })),
  demoRow('KeywordList', 'Unsafe keywords', () => ({
    Name: 'Unsafe keywords',
    ListText: lines('gambling', 'miracle cure', 'free casino'),
  })),
];
