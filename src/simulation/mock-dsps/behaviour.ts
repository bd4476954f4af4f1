import type { Range } from '../random.ts';
import { type Fault, isFault } from './faults.ts';

export interface Behaviour {
  /** Share of requests that it bids on, from 0 to 1. */
  readonly fill: number;
  /** CPM. */
  readonly price: Range;
  /** Of its OpenRTB bids, if the floor is in it; otherwise, and of other kinds, USD. */
  readonly currency: string;
  /** With its code it bids if the deal is offered; `""` = openly. */
  readonly deal: string;
  /** Before it answers, at most 10,000. */
  readonly latency: Range;
  /** The advertiser's, in ads and bids. */
  readonly domain: string;
  readonly category: string;
  /** Undefined = honest. */
  readonly fault: Fault | undefined;
  /** Share of its answers that have the fault, from 0 to 1. */
  readonly faulty: number;
}

const honest: Behaviour = {
  fill: 1,
  price: { min: 2, max: 2 },
  currency: 'USD',
  deal: '',
  latency: { min: 0, max: 0 },
  domain: 'brand.example',
  category: 'IAB2',
  fault: undefined,
  faulty: 1,
};

const latencyMsMax = 10_000;

const number = /^\d{1,6}(\.\d{1,6})?$/;

function readShare(text: string): number | undefined {
  return number.test(text) && Number(text) <= 1 ? Number(text) : undefined;
}

/** `5`, or `2-6` for any value between; undefined for other text. */
function readRange(text: string): Range | undefined {
  const [from = '', to = from, ...more] = text.split('-');
  if (!number.test(from) || !number.test(to) || more.length > 0) return undefined;
  const [min, max] = [Number(from), Number(to)];
  return min <= max ? { min, max } : undefined;
}

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);

/** Undefined if invalid. */
const readers: { readonly [Name in keyof Behaviour]: (text: string) => Behaviour[Name] | undefined } = {
  fill: readShare,
  price: readRange,
  currency: matching(/^[A-Z]{3}$/),
  deal: matching(/^[\w.-]{1,64}$/),
  latency: (text) => {
    const range = readRange(text);
    return range && range.max <= latencyMsMax ? range : undefined;
  },
  domain: matching(/^[a-z0-9.-]{1,100}$/),
  category: matching(/^IAB\d{1,2}(-\d{1,2})?$/),
  fault: (text) => (isFault(text) ? text : undefined),
  faulty: readShare,
};

const isSetting = (name: string): name is keyof Behaviour => Object.hasOwn(readers, name);

/** As `price=2-6,latency=20-90,fault=hang`; by default an honest DSP's. `wrong`: why not. */
export function readBehaviour(text: string): Behaviour | { readonly wrong: string } {
  const found: Record<string, unknown> = {};
  for (const setting of text.split(',').filter((part) => part !== '')) {
    const [name = '', value = ''] = setting.split('=', 2);
    if (!isSetting(name)) {
      return { wrong: `"${name}" is not a setting; the settings are ${Object.keys(readers).join(', ')}` };
    }
    const read = readers[name](value);
    if (read === undefined) return { wrong: `"${value}" is not valid for ${name}` };
    found[name] = read;
  }
  return { ...honest, ...found };
}
