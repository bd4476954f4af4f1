import { bit, integer, listOf, text } from '../member-types.ts';
import { objectOf, type ReadObject, type SentObject } from '../object-of.ts';
import { data } from './audience.ts';
import { code, manyWords, objectsMax, whole, words } from './bounds.ts';

/* Where the ad would be shown. IDs that only the sender knows are not passed on (reference, B21). */

const network = { id: [text, 'passed'], name: [text, 'passed'], domain: [text, 'passed'] } as const;

const producer = objectOf('Producer', '3.2.17', {
  ...network, cattax: [whole, 'passed'], cat: [words, 'passed'],
}); // biome-ignore format: a table

export const content = objectOf('Content', '3.2.16', {
  id: [text, 'passed'], episode: [whole, 'passed'], title: [text, 'passed'],
  series: [text, 'passed'], season: [text, 'passed'],
  artist: [text, 'passed'], genre: [text, 'passed'], gtax: [whole, 'passed'], genres: [words, 'passed'],
  album: [text, 'passed'], isrc: [text, 'passed'], producer: [producer, 'passed'], url: [text, 'passed'],
  cattax: [whole, 'passed'], cat: [words, 'passed'], prodq: [whole, 'passed'], context: [integer(1, 7), 'passed'],
  contentrating: [text, 'passed'], userrating: [text, 'passed'], qagmediarating: [whole, 'passed'],
  keywords: [text, 'passed'], kwarray: [words, 'passed'],
  livestream: [bit, 'passed'], sourcerelationship: [bit, 'passed'], len: [whole, 'passed'],
  language: [text, 'passed'], langb: [text, 'passed'], embeddable: [bit, 'passed'],
  data: [listOf(data, objectsMax), 'passed'],
  network: [objectOf('Network', '3.2.23', network), 'passed'],
  channel: [objectOf('Channel', '3.2.24', network), 'passed'],
  realtime: [bit, 'passed'], firstbroadcast: [bit, 'passed'],
}); // biome-ignore format: a table

const publisher = objectOf('Publisher', '3.2.15', {
  id: [text, 'sent'],
  name: [text, 'sent'],
  cattax: [whole],
  cat: [words],
  domain: [text, 'sent'],
});

const place = {
  id: [text, 'sent'], name: [text, 'read', 'passed'], domain: [text, 'read', 'passed'],
  publisher: [publisher, 'sent'], content: [content, 'passed'], keywords: [text, 'passed'],
} as const; // biome-ignore format: a table

const medium = {
  ...place,
  cattax: [code, 'read', 'passed', 'sent'], cat: [manyWords, 'read', 'passed', 'sent'],
  sectioncat: [manyWords, 'read', 'passed'], pagecat: [manyWords, 'read', 'passed'],
  privacypolicy: [bit, 'passed'], kwarray: [words, 'passed'],
  inventorypartnerdomain: [text, 'passed', 'older'],
} as const; // biome-ignore format: a table

export const site = objectOf('Site', '3.2.13', {
  ...medium,
  page: [text, 'read', 'passed'], ref: [text, 'passed'], search: [text, 'read', 'passed'],
  mobile: [bit, 'passed'],
}); // biome-ignore format: a table

export const app = objectOf('App', '3.2.14', {
  ...medium,
  bundle: [text, 'read', 'passed'], storeurl: [text, 'read', 'passed'],
  ver: [text, 'passed'], paid: [bit, 'passed'],
}); // biome-ignore format: a table

export const dooh = objectOf('DOOH', '3.2.32', {
  ...place, venuetype: [words, 'passed'], venuetypetax: [code, 'passed'],
}); // biome-ignore format: a table

export type Content = ReadObject<typeof content>;
export type Site = ReadObject<typeof site>;
export type App = ReadObject<typeof app>;
export type SentPublisher = SentObject<typeof publisher>;
