import { httpUrl } from '../http-url.ts';
import { jsonMembers } from './json-members.ts';
import type { Members } from './members.ts';
import type { PopFault, PopRecord } from './pop-record.ts';
import { xmlMembers } from './xml-members.ts';

const names = {
  price: ['bid', 'bidprice', 'cpc', 'cpm', 'cpv', 'price', 'rate', 'payout'],
  target: [
    'click',
    'clickurl',
    'clickthrough',
    'redirect',
    'redirecturl',
    'redir',
    'targeturl',
    'landingurl',
    'popurl',
    'adurl',
    'link',
    'href',
    'url',
  ],
  display: ['adomain', 'addomain', 'domain', 'displayurl', 'siteurl', 'site', 'url'],
  title: ['title', 'headline', 'name'],
  description: ['description', 'descr', 'desc'],
} as const;

const textCharactersMax = 1024;
const decimal = /^[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i;

function textOf(members: Members, kind: Exclude<keyof typeof names, 'price'>): string {
  for (const name of names[kind]) {
    const value = members.get(name)?.trim() ?? '';
    if (value !== '') return value;
  }
  return '';
}

/** The first URL; `click` may be a number of clicks, `link` a text. */
function targetOf(members: Members): string | undefined {
  for (const name of names.target) {
    const target = httpUrl(members.get(name) ?? '');
    if (target !== undefined) return target;
  }
  return undefined;
}

function adDomainOf(members: Members, target: string): string {
  const shown = textOf(members, 'display').slice(0, textCharactersMax);
  const url = /^https?:\/\//i.test(shown) ? shown : `http://${shown}`;
  const host = shown === '' ? undefined : URL.parse(url)?.hostname;
  return host?.includes('.') ? host : (URL.parse(target)?.hostname ?? '');
}

/** The first number, because `bid` may be an ID; else the first value, or `""`. */
function priceOf(members: Members): string {
  const prices = names.price.map((name) => members.get(name)?.trim() ?? '').filter((value) => value !== '');
  return prices.find((value) => decimal.test(value)) ?? prices[0] ?? '';
}

function recordOf(members: Members): PopRecord | PopFault {
  const price = priceOf(members);
  const target = targetOf(members);
  if (target === undefined) return price === '' ? 'empty' : 'no_url';
  if (!decimal.test(price)) return 'no_price';
  return {
    title: textOf(members, 'title').slice(0, textCharactersMax),
    description: textOf(members, 'description').slice(0, textCharactersMax),
    price: Number(price),
    target,
    adDomain: adDomainOf(members, target),
  };
}

function membersOf(body: string): Members[] | undefined {
  return body.startsWith('<') ? xmlMembers(body) : jsonMembers(body);
}

/** Any object or element with a price and a URL (there is no standard). Never throws. */
export function readPopAnswer(text: string): readonly PopRecord[] | PopFault {
  const body = text.trim();
  if (body === '') return 'empty';
  const all = membersOf(body);
  if (all === undefined) return 'malformed';
  const read = all.map(recordOf);
  const records = read.filter((record) => typeof record !== 'string');
  if (records.length > 0) return records;
  return read.find((fault): fault is PopFault => fault !== 'empty' && typeof fault === 'string') ?? 'empty';
}
