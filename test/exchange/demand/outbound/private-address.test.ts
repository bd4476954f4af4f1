import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivateAddress } from '../../../../src/exchange/demand/outbound/private-address.ts';

const addresses: readonly (readonly [address: string, isPrivate: boolean])[] = [
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['0.0.0.0', true],
  ['10.0.0.1', true],
  ['172.16.0.1', true],
  ['172.31.255.255', true],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['100.100.100.200', true],
  ['192.0.0.192', true],
  ['198.18.0.1', true],
  ['224.0.0.1', true],
  ['240.0.0.1', true],
  ['255.255.255.255', true],
  ['168.63.129.16', true],
  ['::', true],
  ['::1', true],
  ['[::1]', true],
  ['fe80::1', true],
  ['fe80::1%eth0', true],
  ['fc00::1', true],
  ['fd00:ec2::254', true],
  ['ff02::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.1.2.3', true],
  ['64:ff9b::127.0.0.1', true],
  ['64:ff9b::a00:1', true],
  ['2002:7f00:1::', true],
  ['2001:0:7f00:1::', true],
  ['2001:db8::1', true],
  ['::7f00:1', true],
  ['::127.0.0.1', true],
  ['::808:808', true],
  ['fec0::1', true],
  ['1fff:ffff::1', true],
  ['4000::1', true],
  ['localhost', true],
  ['', true],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
  ['100.128.0.1', false],
  ['1.1.1.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::8.8.8.8', false],
  ['2606:4700:4700::1111', false],
  ['[2606:4700:4700::1111]', false],
];

for (const [address, isPrivate] of addresses) {
  test(`'${address}' is ${isPrivate ? 'private' : 'public'}`, () => {
    assert.equal(isPrivateAddress(address), isPrivate);
  });
}
