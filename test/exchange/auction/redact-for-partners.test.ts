import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { redactForPartners } from '../../../src/exchange/auction/redact-for-partners.ts';
import type { OriginalImpression } from '../../../src/exchange/opportunity.ts';
import { parseIpAddress, subnetOf } from '../../../src/exchange/reading/ip-address.ts';
import type { MemberType, ObjectKind } from '../../../src/protocols/openrtb/member-types.ts';
import { device, geo, user } from '../../../src/protocols/openrtb/objects/audience.ts';
import { bidRequest } from '../../../src/protocols/openrtb/objects/request.ts';
import { activities } from '../../../src/reference/activities.ts';
import { seeded } from '../../support/seed.ts';
import { opportunityWith } from '../unrestricted.ts';

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6().filter((text) => parseIpAddress(text)?.version === 6);

function drawnFor(name: string, { form, object }: MemberType<unknown, unknown>): fc.Arbitrary<unknown> {
  if (object) return objectLike(object);
  if (name === 'ip') return ipv4;
  if (name === 'ipv6') return ipv6;
  if (form === 'object') return fc.constant({ a: 1 });
  if (form === 'string') return fc.stringMatching(/^[a-z]{1,8}$/);
  return form === 'integer' ? fc.nat() : fc.double({ min: -90, max: 90, noNaN: true });
}

/** Objects with any of the members of OpenRTB's table. */
function objectLike({ rows }: ObjectKind): fc.Arbitrary<object> {
  const members = Object.entries(rows).map(([name, [type]]) => {
    const one = drawnFor(name, type);
    return [name, type.isList ? fc.array(one, { maxLength: 2 }) : one] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

/** What must be left of a member whose disclosure is withheld. */
function reduced(use: string, name: string, value: unknown): unknown {
  if (use === 'address') {
    const address = parseIpAddress(String(value));
    return address && subnetOf(address).text;
  }
  const isCoordinate = use === 'place' && (name === 'lat' || name === 'lon');
  return isCoordinate ? Math.round(Number(value) * 100) / 100 : undefined;
}

function check({ rows }: ObjectKind, before: object, after: object, withheld: number): void {
  const left = new Map<string, unknown>(Object.entries(after));
  for (const [name, value] of Object.entries(before)) {
    const [type, ...uses] = rows[name] ?? assert.fail(name);
    const hidden = uses.filter((use) => use in activities && withheld & activities[use as 'place']);
    const got = left.get(name);
    left.delete(name);
    if (hidden.length > 0) assert.deepEqual(got, reduced(hidden[0] ?? '', name, value), name);
    else if (type.object === undefined) assert.deepEqual(got, value, name);
    else if (Array.isArray(value)) {
      const items = got as readonly object[];
      assert.equal(items.length, value.length);
      for (const [at, item] of value.entries()) check(type.object, item, items[at] ?? {}, withheld);
    } else check(type.object, value as object, got as object, withheld);
  }
  assert.deepEqual([...left], [], 'nothing is added');
}

describe('what leaves for a partner', () => {
  test('has no member whose disclosure is withheld, and all others as they were', () => {
    fc.assert(
      fc.property(objectLike(bidRequest), fc.integer({ min: 0, max: 63 }), (request, withheld) => {
        const opportunity = opportunityWith({
          ip: parseIpAddress('203.0.113.77'),
          latitude: 52.52437,
          longitude: -13.41053,
          userId: 'u',
          viewerIdsOf: () => ({ buyeruid: 'b' }),
          original: { request: request as OriginalImpression['request'], imp: {} },
        });
        const shown = redactForPartners(opportunity, withheld);
        check(bidRequest, request, shown.original?.request ?? {}, withheld);
        const has = (activity: keyof typeof activities) => (withheld & activities[activity]) === 0;
        assert.equal(shown.userId, has('userIds') ? 'u' : '');
        assert.equal(shown.viewerIdsOf !== undefined, has('userIds') && has('sync'));
        assert.equal(shown.ip?.text, has('address') ? '203.0.113.77' : '203.0.113.0');
        assert.deepEqual(
          [shown.latitude, shown.longitude],
          has('place') ? [52.52437, -13.41053] : [52.52, -13.41],
        );
      }),
      seeded(500),
    );
  });

  test('every member of the user, the device and the place says what it discloses', () => {
    const says = (object: ObjectKind): string[] =>
      Object.entries(object.rows).flatMap(([name, [type, disclosure]]) => [
        ...(/^(userIds|userData|address|place|open)$/.test(String(disclosure))
          ? []
          : [`${object.name}.${name}`]),
        ...(type.object ? says(type.object) : []),
      ]);
    assert.deepEqual([user, device, geo].flatMap(says), []);
  });
});
