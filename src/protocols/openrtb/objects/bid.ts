import { isObject } from '../../json.ts';
import { lenient } from '../lenient.ts';
import { anyObject, integer, listOf, number, text } from '../member-types.ts';
import { objectOf, type ReadObject, type SentObject } from '../object-of.ts';
import { whole as anyWhole, codes as someCodes } from './bounds.ts';

/* A bid, from our bidders and to the sender of the request. */

/* Bidders confuse numbers and texts, single values and lists. A price and URLs must be right. */
export const name = lenient(text);
const safe = lenient(integer(0, Number.MAX_SAFE_INTEGER));
const whole = lenient(anyWhole);
const codes = lenient(someCodes);
const markup: typeof text = {
  ...text,
  read: (value) => text.read(isObject(value) ? JSON.stringify(value) : value),
};
/** Judged elsewhere. */
const amount = number(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
/** Answers are bounded in bytes, and a list that rules read must not be lost for its length. */
const names = lenient(listOf(text, Number.POSITIVE_INFINITY));
const attributes = lenient(listOf(integer(0, Number.MAX_SAFE_INTEGER), Number.POSITIVE_INFINITY));

/** Passed on: the answers to `imp.ext.skadn` and `regs.ext.dsa`. */
const bidExtension = objectOf('Bid.ext', '4.2.3', {
  skadn: [anyObject, 'passed'],
  dsa: [anyObject, 'passed'],
});

/** `cattax` is the taxonomy of `cat`. */
export const bid = objectOf('Bid', '4.2.3', {
  id: [name, 'read', 'sent'], impid: [name, 'read', 'sent'], price: [amount, 'read', 'sent'],
  nurl: [text, 'read', 'sent'], burl: [text, 'read', 'sent'], lurl: [text, 'read', 'sent'], adm: [markup, 'read', 'sent'],
  adid: [name, 'read', 'sent'], adomain: [names, 'read', 'sent'], bundle: [name, 'read', 'sent'],
  crid: [name, 'read', 'sent'], cat: [names, 'read', 'sent'], attr: [attributes, 'read', 'sent'],
  dealid: [name, 'read', 'sent'], w: [safe, 'read', 'sent'], h: [safe, 'read', 'sent'], exp: [safe, 'read', 'sent'],
  mtype: [safe, 'read', 'sent'],
  iurl: [text, 'passed'], cid: [name, 'passed'], tactic: [name, 'passed'], cattax: [whole, 'passed'],
  apis: [codes, 'passed'], api: [whole, 'passed'], protocol: [whole, 'passed'], qagmediarating: [whole, 'passed'],
  language: [text, 'passed'], langb: [text, 'passed'], wratio: [whole, 'passed'], hratio: [whole, 'passed'],
  dur: [whole, 'passed'], slotinpod: [lenient(integer(-1, 2)), 'passed'], ext: [bidExtension, 'passed'],
}); // biome-ignore format: a table

export type ReadBidObject = ReadObject<typeof bid>;
export type SentBidObject = SentObject<typeof bid>;
