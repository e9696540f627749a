import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guardedLookup } from './guarded-lookup.js';

const A = 1;
/** The answer to a question for one address: its header and question again, then the address. */
function answerWith(question: Buffer, address: readonly number[] | null): Buffer {
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(address ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  const record = address ? Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address]) : Buffer.alloc(0);
  return Buffer.concat([head, asked, record]);
}

describe('looking up a receiver', () => {
  const server = createSocket('udp4');
  const silent: string[] = [];

  beforeAll(async () => {
    server.on('message', (question, from) => {
      const end = question.indexOf(0, 12);
      const name = question.subarray(12, end).toString('latin1');
      const type = question.readUInt16BE(end + 1);
      if (name.includes('silent')) return void silent.push(name);
      const address = name.includes('inner') ? [10, 0, 0, 1] : [93, 184, 215, 14];
      server.send(answerWith(question, type === A ? address : null), from.port, from.address);
    });
    await new Promise<void>((ready) => server.bind(0, '127.0.0.1', ready));
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  const makeResolver = (): Resolver => {
    const resolver = new Resolver({ timeout: 250, tries: 1 });
    resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
    return resolver;
  };
  const resolve = (reach: 'public' | 'sandbox', name: string, options = { all: true }): Promise<unknown> =>
    new Promise((done) => guardedLookup(reach, makeResolver)(name, options, (error, found) => done(error ?? found)));

  it('a name of this machine is refused, except to a sandbox', async () => {
    for (const name of ['localhost', 'localhost.', 'a.localhost']) {
      expect(await resolve('public', name)).toMatchObject({ name: 'AddressRefused' });
      expect(await resolve('sandbox', name)).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    }
  });

  it('a name leads to its public addresses, and one with an inner address nowhere', async () => {
    expect(await resolve('public', 'hooks.example.com')).toEqual([{ address: '93.184.215.14', family: 4 }]);
    expect(await resolve('public', 'hooks.example.com', { all: false })).toBe('93.184.215.14');
    expect(await resolve('public', 'inner.example.com')).toMatchObject({ name: 'AddressRefused' });
    expect(await resolve('sandbox', 'inner.example.com')).toMatchObject({ name: 'AddressRefused' });
  });

  it('names whose servers never answer keep no other name waiting', async () => {
    const ended: unknown[] = [];
    const all = Array.from({ length: 100 }, async (_, n) =>
      ended.push(await resolve('public', `silent-${n}.example.com`)),
    );
    expect(await resolve('public', 'hooks.example.com')).toEqual([{ address: '93.184.215.14', family: 4 }]);
    await Promise.all(all);
    expect(new Set(silent).size).toBe(100);
    expect(ended).toEqual(Array.from({ length: 100 }, () => expect.objectContaining({ code: 'ENOTFOUND' })));
  });

  it('names are looked up without the threads of the process, of which there are few', async () => {
    const found = resolve('public', 'hooks.example.com');
    expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
    await found;
  });
});
