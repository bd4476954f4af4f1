import { anyObject, integer, listOf, number, text } from '../member-types.ts';
import { type Kept, objectOf, type Sent } from '../object-of.ts';
import { codes, whole } from './bounds.ts';

/*
 * A bid, from our bidders and to the sender of the request.
 */

const safe = integer(0, Number.MAX_SAFE_INTEGER);
/** Any number at all: what a price may be is asked where it is judged. */
const amount = number(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
/** An answer is bounded in bytes, and a list that a rule reads must not get lost for its length. */
const texts = listOf(text, Number.POSITIVE_INFINITY);
const attributes = listOf(safe, Number.POSITIVE_INFINITY);

/** The extensions that go on: the answers to `imp.ext.skadn` and `regs.ext.dsa`. */
const bidExtension = objectOf('Bid.ext', '4.2.3', {
  skadn: [anyObject, 'passed'],
  dsa: [anyObject, 'passed'],
});

/** `cattax` is the taxonomy of `cat`. */
export const bid = objectOf('Bid', '4.2.3', {
  id: [text, 'read', 'sent'], impid: [text, 'read', 'sent'], price: [amount, 'read', 'sent'],
  nurl: [text, 'read', 'sent'], burl: [text, 'read', 'sent'], lurl: [text, 'read', 'sent'], adm: [text, 'read', 'sent'],
  adid: [text, 'read', 'sent'], adomain: [texts, 'read', 'sent'], bundle: [text, 'read', 'sent'],
  crid: [text, 'read', 'sent'], cat: [texts, 'read', 'sent'], attr: [attributes, 'read', 'sent'],
  dealid: [text, 'read'], w: [safe, 'read', 'sent'], h: [safe, 'read', 'sent'], exp: [safe, 'read', 'sent'],
  mtype: [safe, 'read', 'sent'],
  iurl: [text, 'passed'], cid: [text, 'passed'], tactic: [text, 'passed'], cattax: [whole, 'passed'],
  apis: [codes, 'passed'], api: [whole, 'passed'], protocol: [whole, 'passed'], qagmediarating: [whole, 'passed'],
  language: [text, 'passed'], langb: [text, 'passed'], wratio: [whole, 'passed'], hratio: [whole, 'passed'],
  dur: [whole, 'passed'], slotinpod: [integer(-1, 2), 'passed'], ext: [bidExtension, 'passed'],
}); // biome-ignore format: a table

/** A bid as it was read. */
export type KeptBid = Kept<typeof bid>;
/** A bid as it is sent. */
export type SentBid = Sent<typeof bid>;
