import { anyObject, bit, FormFault, integer, listOf, type MemberType, text, word } from '../member-types.ts';
import { objectOf, type ReadObject, type SentObject } from '../object-of.ts';
import { readSupplyChain, type SupplyChain } from '../supply-chain.ts';
import { device, user } from './audience.ts';
import { code, manyCodes, manyWords, words } from './bounds.ts';
import { type Imp, imp, type SentImp } from './imp.ts';
import { app, dooh, site } from './inventory.ts';

/* The bid request of OpenRTB 2.6, and of 2.5. */

const impsMax = 100;

const node = objectOf('SupplyChainNode', '3.2.26', {
  asi: [text], sid: [text], rid: [text], name: [text], domain: [text], hp: [bit], ext: [anyObject],
}); // biome-ignore format: a table

const chain = objectOf('SupplyChain', '3.2.25', {
  complete: [bit], nodes: [listOf(node, Number.POSITIVE_INFINITY)], ver: [text], ext: [anyObject],
}); // biome-ignore format: a table

/** By `readSupplyChain`; an invalid chain counts as absent. */
const schain: MemberType<SupplyChain> = {
  form: 'object',
  isList: false,
  object: chain,
  read: (value) => readSupplyChain(value) ?? new FormFault('a supply chain'),
  keep: readSupplyChain,
};

/** `tid` is the same for all who take part in the auction. */
export const source = objectOf('Source', '3.2.2', {
  fd: [bit, 'passed'], tid: [word, 'passed', 'sent'], pchain: [text, 'passed'],
  schain: [schain, 'passed', 'sent', 'older'], ext: [anyObject, 'sent'],
}); // biome-ignore format: a table

const gpcUnset: ReadonlySet<unknown> = new Set(['0', 0, false, '']);
const readGpc = (value: unknown) => (gpcUnset.has(value) ? '0' : '1');

/** A text by the extension, a number by some senders; a badly written one counts as said. */
const gpc: MemberType<'0' | '1'> = {
  form: 'string',
  isList: false,
  object: undefined,
  read: readGpc,
  keep: readGpc,
};

/** Passed on: what the Digital Services Act requires, and Global Privacy Control. */
const regsExtension = objectOf('Regs.ext', '3.2.3', {
  dsa: [anyObject, 'passed'], gpc: [gpc, 'read', 'passed'],
}); // biome-ignore format: a table

/** All are read, even unused ones: a badly written privacy signal must not get lost. */
export const regs = objectOf('Regs', '3.2.3', {
  coppa: [bit, 'read', 'passed'],
  gdpr: [bit, 'read', 'passed', 'older'], us_privacy: [text, 'read', 'passed', 'older'],
  gpp: [text, 'read', 'passed', 'older'], gpp_sid: [manyCodes, 'read', 'passed', 'older'],
  ext: [regsExtension, 'passed', 'sent'],
}); // biome-ignore format: a table

const noImps = new FormFault(`an array of 1 to ${impsMax} items`);
const readImps = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= impsMax ? value : noImps;

/** Each is read by itself later, so that a wrong one does not refuse the others. */
const imps: MemberType<readonly Imp[], readonly SentImp[]> = {
  form: 'object',
  isList: true,
  object: imp,
  read: readImps,
  keep: () => undefined,
};

/** What a request blocks or allows is joined with the endpoint's own. */
export const bidRequest = objectOf('BidRequest', '3.2.1', {
  id: [word, 'read', 'sent'], imp: [imps, 'read', 'sent'],
  site: [site, 'read', 'sent'], app: [app, 'read', 'sent'], dooh: [dooh, 'read', 'sent'],
  device: [device, 'read', 'passed'], user: [user, 'read', 'sent'],
  test: [bit, 'read', 'sent'], at: [code, 'read', 'sent'], tmax: [integer(0, 3_600_000), 'read', 'sent'],
  wseat: [manyWords, 'read', 'passed'], bseat: [manyWords, 'read', 'passed'], allimps: [bit],
  cur: [manyWords, 'read', 'sent'], wlang: [words, 'passed'], wlangb: [words, 'passed'],
  acat: [manyWords, 'read', 'passed'], bcat: [manyWords, 'read', 'sent'], cattax: [code, 'read', 'sent'],
  badv: [manyWords, 'read', 'sent'], bapp: [manyWords, 'read', 'sent'],
  source: [source, 'read', 'sent'], regs: [regs, 'read', 'sent'],
}, ['id', 'imp']); // biome-ignore format: a table

export type BidRequest = ReadObject<typeof bidRequest>;
export type SentRequest = SentObject<typeof bidRequest>;
