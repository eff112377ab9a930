import { describe, expect, it } from '@jest/globals';
import {
  ReceiverAddresses,
  isGloballyReachable,
  literalAddress,
} from '../../../../src/resources/webhooks/sending/receiver-addresses.js';

/** First and last addresses of the networks in the special-purpose registries of IANA, and of multicast. */
const SPECIAL = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::ffff'],
  ['::7f00:1', '::a00:1'],
  ['::ffff:0:0', '::ffff:ffff:ffff'],
  ['::ffff:8.8.8.8', '::ffff:127.0.0.1'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002:808:808::1', '2002:7f00:1::1'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', '5f00::1'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['64:ff9b::10.0.0.1', '64:ff9b::127.0.0.1'],
  ['fe80::1%eth0', '2600::1%eth0'],
];

describe('isGloballyReachable', () => {
  it.each(SPECIAL)('refuses %s to %s', (first, last) => {
    expect([first, last].map((address) => isGloballyReachable(address))).toEqual([false, false]);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2600::1',
    '2a00:1450:4001:81b::200e',
    '3ffe::1',
    '64:ff9b::8.8.8.8',
  ])('allows %s', (address) => {
    expect(isGloballyReachable(address)).toBe(true);
  });

  it.each(['', 'localhost', '1.2.3', '0x7f.1', '1.1.1.1/8', ' 1.1.1.1'])('refuses %j', (text) => {
    expect(isGloballyReachable(text)).toBe(false);
  });
});

describe('ReceiverAddresses', () => {
  it('allows exceptions, also if an IPv6 address contains one', () => {
    const addresses = new ReceiverAddresses(['10.1.0.0/16', '192.168.7.7', 'fd00::/64'], false);
    const allowed = ['10.1.255.255', '192.168.7.7', '::ffff:10.1.0.1', 'fd00::1', '8.8.8.8'];
    const refused = ['10.2.0.0', '192.168.7.8', 'fd00:0:0:1::1', '127.0.0.1', '::1', 'x'];
    expect(allowed.filter((address) => !addresses.isAllowed(address))).toEqual([]);
    expect(refused.filter((address) => addresses.isAllowed(address))).toEqual([]);
  });

  it('allows loopback addresses outside production', () => {
    const addresses = new ReceiverAddresses([], true);
    expect(['127.0.0.1', '127.1.2.3', '::1'].map((address) => addresses.isAllowed(address))).toEqual([
      true,
      true,
      true,
    ]);
    expect(addresses.isAllowed('10.0.0.1')).toBe(false);
  });
});

describe('literalAddress', () => {
  it.each([
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://017700000001/', '127.0.0.1'],
    ['https://127.0.0.1./', '127.0.0.1'],
    ['https://１２７.0.0.1/', '127.0.0.1'],
    ['https://[::1]:8443/', '::1'],
    ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['https://receiver.example/', null],
  ])('of %s is %s', (url, address) => {
    expect(literalAddress(new URL(url))).toBe(address);
  });
});
