import fc from 'fast-check';
import type { ExchangeKind } from '../../../src/entities/kinds.ts';
import type { NaiveFeed } from './naive-feed.ts';

/** Greatest ID of an object that changes name. */
export const idMax = 5;

const anyId = fc.integer({ min: 1, max: idMax });
const anyIds = fc.uniqueArray(anyId, { maxLength: 3 });
const anyStatus = fc.constantFrom(0, 0, 1);

/** Changes a configuration. */
export type Change = (naive: NaiveFeed) => void;

const anyAccount = fc
  .tuple(fc.constantFrom('Publisher', 'Advertiser'), anyId, anyStatus, fc.string({ maxLength: 2 }))
  .map(
    ([entity, id, status, Name]): Change =>
      ({ put }) =>
        put(entity, id, { status, settings: { Name } }),
  );
const anyObject = fc
  .record({
    entity: fc.constantFrom('DspVastTag', 'Campaign', 'VastTag', 'RtbEp'),
    id: anyId,
    ownerId: anyId,
    status: anyStatus,
    Countries: fc.subarray(['US', 'DE']),
  })
  .map(
    ({ entity, id, ownerId, status, Countries }): Change =>
      ({ put }) =>
        put(entity, id, { ownerId, status, settings: { Countries } }),
  );
const anyConnection = fc
  .tuple(
    fc.constantFrom<[ExchangeKind, string, ExchangeKind]>(
      ['VastTag', 'DspVastTags', 'DspVastTag'],
      ['VastTag', 'Campaigns', 'Campaign'],
      ['RtbEp', 'DspVastTags', 'DspVastTag'],
      ['VastTag', 'DomainsBrandsList', 'DomainList'],
      ['DspVastTag', 'DomainsBrandsList', 'DomainList'],
    ),
    anyId,
    anyIds,
  )
  .map(
    ([[entity, field, other], id, ids]): Change =>
      ({ put, ids: idsOf }) => {
        const known = ids.filter((one) => idsOf(other).includes(one));
        put(entity, id, { connections: { [field]: known } });
      },
  );
const anyDeal = fc
  .record({
    id: anyId,
    status: anyStatus,
    Countries: fc.subarray(['US', 'DE']),
    Priority: fc.integer({ min: 1, max: 3 }),
    VastTags: fc.oneof(fc.constant([]), anyIds),
    RtbEps: fc.oneof(fc.constant([]), anyIds),
    DspVastTags: anyIds,
  })
  .map(
    ({ id, status, Countries, Priority, ...connections }): Change =>
      ({ put }) =>
        put('Deal', id, { status, settings: { Countries, Priority }, connections }),
  );
const anyText = fc.tuple(anyId, fc.subarray(['a.example', 'b.example'])).map(
  ([id, lines]): Change =>
    ({ write }) =>
      write('DomainList', id, lines),
);
const anyList = fc.tuple(anyId, anyStatus, fc.constantFrom(0, 1)).map(
  ([id, status, Global]): Change =>
    ({ put }) =>
      put('DomainList', id, { status, settings: { Global } }),
);
const anyChange = fc.oneof(anyAccount, anyObject, anyConnection, anyDeal, anyText, anyList);

/** Rounds of changes, each of which is followed at once. */
export const anyRounds = fc.array(fc.array(anyChange, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 10,
});
