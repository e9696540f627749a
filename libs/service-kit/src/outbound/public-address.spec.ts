import { describe, expect, it } from '@jest/globals';
import { isAllowedAddress, reachOf, refusalOfAddress } from './public-address.js';

describe('where webhooks may go', () => {
  it.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111'])('%s is public', (address) =>
    expect(isAllowedAddress(address, 'public')).toBe(true),
  );

  it.each([
    '127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
    '100.64.0.1', '168.63.129.16', '192.0.0.192', '198.18.0.1', '203.0.113.7', '224.0.0.1', '255.255.255.255',
    '::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1', '::ffff:a00:1',
    '::ffff:169.254.169.254', '64:ff9b::a00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', 'nonsense',
  ])('%s is not', (address) => expect(isAllowedAddress(address, 'public')).toBe(false)); // prettier-ignore

  it('a sandbox reaches this machine, and nothing else that is private', () => {
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every((address) => isAllowedAddress(address, 'sandbox'))).toBe(
      true,
    );
    expect(['10.0.0.1', '169.254.169.254', 'fe80::1'].some((address) => isAllowedAddress(address, 'sandbox'))).toBe(
      false,
    );
  });

  it.each(['https://hooks.example.com/a?b=c', 'https://8.8.8.8/', 'https://hooks.example.com:8443/'])(
    '%s is accepted',
    (url) => expect(refusalOfAddress(url, 'public')).toBeNull(),
  );

  it.each([
    'http://hooks.example.com/', 'ftp://example.com/', 'file:///etc/passwd', '/relative', '', 'https://user:pass@example.com/',
    'https://localhost/', 'https://a.localhost/', 'https://127.0.0.1/', 'http://127.0.0.1:80/', 'https://0/',
    'https://2130706433/', 'https://0x7f.1/', 'https://017700000001/', 'https://127.1/', 'https://[::1]/',
    'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/latest/meta-data', 'https://10.0.0.5/', 'https://192.168.0.1./',
  ])('%s is refused', (url) => expect(refusalOfAddress(url, 'public')).not.toBeNull()); // prettier-ignore

  it.each([
    ['sandbox', 'http://127.0.0.1:3000', 'sandbox'],
    ['sandbox', 'http://localhost:3000', 'sandbox'],
    ['sandbox', 'http://[::1]:3000', 'sandbox'],
    ['sandbox', 'https://billing.example', 'public'],
    ['sandbox', 'https://10.0.0.5', 'public'],
    ['live', 'http://127.0.0.1:3000', 'public'],
  ] as const)('of a %s at %s is %s', (mode, publicUrl, reach) => expect(reachOf(mode, publicUrl)).toBe(reach));

  it('in a sandbox http is for this machine only', () => {
    expect(refusalOfAddress('http://127.0.0.1:4000/hook', 'sandbox')).toBeNull();
    expect(refusalOfAddress('http://localhost:4000/hook', 'sandbox')).toBeNull();
    expect(refusalOfAddress('http://hooks.example.com/', 'sandbox')).not.toBeNull();
    expect(refusalOfAddress('http://10.0.0.1/', 'sandbox')).not.toBeNull();
    expect(refusalOfAddress('https://192.168.0.1/', 'sandbox')).not.toBeNull();
  });
});
