import type { Blocks } from '../../../src/exchange/opportunity.ts';
import type { Case } from './judge-cases.ts';

const nothing: Blocks = {
  cattax: 1,
  allowedCategories: new Set(),
  categories: new Set(),
  domains: new Set(),
  apps: new Set(),
  attributes: new Set(),
  allowedSeats: new Set(),
  seats: new Set(),
};
const blocks = (members: Partial<Blocks>) => ({ blocks: { ...nothing, ...members } });

/** Cases of what a bid request itself blocks. */
export const blockCases: readonly Case[] = [
  [
    'nothing',
    {},
    { adDomains: ['brand.example'], categories: ['IAB1'], appBundle: 'com.a', attributes: [3], seat: 's1' },
    blocks({}),
    undefined,
  ],
  [
    'badv: the second domain of an ad, below the one that is blocked',
    {},
    { adDomains: ['ok.example', 'shop.brand.example'] },
    blocks({ domains: new Set(['brand.example']) }),
    { reason: 'domain_blocked', field: 'badv', wanted: 'not brand.example', met: 'shop.brand.example' },
  ],
  [
    'badv: another domain',
    {},
    { adDomains: ['ok.example'] },
    blocks({ domains: new Set(['brand.example']) }),
    undefined,
  ],
  [
    'bcat: below a category that is blocked',
    {},
    { categories: ['IAB2', 'IAB1-2'] },
    blocks({ categories: new Set(['IAB1']) }),
    { reason: 'category_blocked', field: 'bcat', wanted: 'not IAB1', met: 'IAB1-2' },
  ],
  [
    'bcat: another category',
    {},
    { categories: ['IAB2'] },
    blocks({ categories: new Set(['IAB1']) }),
    undefined,
  ],
  [
    'acat: another category',
    {},
    { categories: ['IAB2'] },
    blocks({ allowedCategories: new Set(['IAB1']) }),
    { reason: 'category_blocked', field: 'acat', wanted: ['IAB1'], met: ['IAB2'] },
  ],
  [
    'acat: below a category that is allowed',
    {},
    { categories: ['IAB1-2'] },
    blocks({ allowedCategories: new Set(['IAB1']) }),
    undefined,
  ],
  [
    'bapp: the app',
    {},
    { appBundle: 'com.bad' },
    blocks({ apps: new Set(['com.bad']) }),
    { reason: 'app_blocked', field: 'bapp', met: 'com.bad' },
  ],
  ['bapp: another app', {}, { appBundle: 'com.ok' }, blocks({ apps: new Set(['com.bad']) }), undefined],
  [
    'battr: the second attribute',
    {},
    { attributes: [2, 3] },
    blocks({ attributes: new Set([3]) }),
    { reason: 'attribute_blocked', field: 'battr', wanted: 'not 3', met: 3 },
  ],
  ['battr: another attribute', {}, { attributes: [2] }, blocks({ attributes: new Set([3]) }), undefined],
  [
    'bseat: the seat',
    {},
    { seat: 's1' },
    blocks({ seats: new Set(['s1']) }),
    { reason: 'seat_listed', field: 'bseat', wanted: 'not s1', met: 's1' },
  ],
  ['bseat: another seat', {}, { seat: 's2' }, blocks({ seats: new Set(['s1']) }), undefined],
  [
    'wseat: another seat',
    {},
    { seat: 's2' },
    blocks({ allowedSeats: new Set(['s1']) }),
    { reason: 'seat_listed', field: 'wseat', wanted: new Set(['s1']), met: 's2' },
  ],
  ['wseat: the seat', {}, { seat: 's1' }, blocks({ allowedSeats: new Set(['s1']) }), undefined],
];
