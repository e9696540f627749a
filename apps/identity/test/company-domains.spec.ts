import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, type Send, whileAnswersGetLost } from '@kontor/testing';
import { Company } from './company.js';
import { CompanyVisit } from './company-visits.js';
import { LyingProvider } from './lying-provider.js';
import { NameServer } from './name-server.js';

const CALLBACK = '/public/account/company/callback';
const DOMAIN = 'nordlicht.de';

interface Proof {
  readonly domain: string;
  readonly proved: boolean;
  readonly record: { readonly name: string; readonly value: string };
}

describe("a company's domains, before anybody of them is let in", () => {
  let dns: NameServer;
  let company: Company;
  let provider: LyingProvider;
  let admin: Send;
  beforeAll(async () => {
    dns = await NameServer.start();
    company = await Company.start({ DNS_SERVERS: dns.address });
    ({ admin } = company);
    provider = await LyingProvider.start();
  }, 60_000);
  afterAll(async () => {
    provider?.stop();
    await company?.stop();
    dns?.stop();
  });
  beforeEach(async () => {
    dns.records.clear();
    dns.answersNothing = false;
    const { status } = await admin('DELETE', '/identity-provider');
    expect([204, 404]).toContain(status);
  });

  const set = async (domains: readonly string[], as = admin): Promise<Proof[]> => {
    const { status, body } = await as('PUT', '/identity-provider', {
      issuer: provider.issuer,
      clientId: 'kontor',
      clientSecret: 'a secret',
      domains,
      newUserRoles: ['read_only'],
    });
    expect([status, body.domains]).toEqual([200, domains]);
    return body.domainProofs;
  };
  const prove = async (as = admin): Promise<Proof[]> => {
    const { status, body } = await as('POST', '/identity-provider/prove-domains');
    expect(status).toBe(200);
    return body.domainProofs;
  };
  const signIn = async (email: string, sub: string): Promise<number> => {
    const visit = new CompanyVisit(company.test);
    const { searchParams } = await visit.begin(company.tenantId);
    const nonce = searchParams.get('nonce')!;
    provider.claims = { sub, email, email_verified: true, name: 'Ada Berg', nonce };
    const { status } = await visit.open(`${CALLBACK}?code=c&state=${searchParams.get('state')}`);
    return status;
  };
  const isOffered = async (email: string): Promise<boolean> => {
    const page = await company.people.post('/public/account/sign-in?lang=en', { email, company: 'yes' });
    return (await page.text()).includes('Sign in with Company');
  };

  it('do not count until the record is there that only their owner can make', async () => {
    const [proof] = await set([DOMAIN]);
    expect(proof).toEqual({
      domain: DOMAIN,
      proved: false,
      record: {
        name: '_kontor-domain.nordlicht.de',
        value: expect.stringMatching(/^kontor-domain=[\w-]{32}$/),
      },
    });
    expect([await isOffered(`ada@${DOMAIN}`), await signIn(`ada@${DOMAIN}`, 'ada')]).toEqual([false, 403]);
    const { name, value } = proof!.record;
    for (const texts of [[], ['v=spf1 -all'], [value.toUpperCase()], [`${value}x`], [value.slice(0, -1)]]) {
      dns.records.set(name, texts);
      expect([texts, (await prove())[0]!.proved]).toEqual([texts, false]);
    }
    dns.records.set(name, ['v=spf1 -all', value]);
    expect((await prove())[0]!.proved).toBe(true);
    expect([await isOffered(`ada@${DOMAIN}`), await signIn(`ada@${DOMAIN}`, 'ada')]).toEqual([true, 303]);
    const { data } = (await admin('GET', '/audit-log?type=identity_provider.domains_proved')).body;
    expect(data[0]).toMatchObject({ actor: { name: 'Admin key' }, metadata: { domains: [DOMAIN] } });
  });

  it('stay proved while they are named, and are proved anew when they were not', async () => {
    const [proof] = await set([DOMAIN]);
    dns.records.set(proof!.record.name, [proof!.record.value]);
    await prove();
    dns.records.clear();
    expect((await set([DOMAIN, 'ost.de'])).map(({ proved }) => proved)).toEqual([true, false]);
    dns.asked.length = 0;
    expect((await prove()).map(({ proved }) => proved)).toEqual([true, false]);
    expect(new Set(dns.asked)).toEqual(new Set(['_kontor-domain.ost.de']));
    await set(['ost.de']);
    expect((await set([DOMAIN])).map(({ proved }) => proved)).toEqual([false]);
    expect(await signIn(`eva@${DOMAIN}`, 'eva')).toBe(403);
  });

  it('are shown without a secret to who repeats the request after a crash', async () => {
    const [proof] = await set([DOMAIN]);
    dns.records.set(proof!.record.name, [proof!.record.value]);
    const key = { 'idempotency-key': newUuid() };
    const ask = () => admin('POST', '/identity-provider/prove-domains', undefined, key);
    const [first, again] = await whileAnswersGetLost(company.test.peek, async () => [await ask(), await ask()]);
    expect([again?.headers.get('idempotent-replayed'), again?.body]).toEqual(['true', first?.body]);
  });

  it("one's own record proves nothing for another tenant, and a subdomain is not its parent", async () => {
    const [first] = await set([DOMAIN]);
    const other = await company.another('Other');
    const [second] = await set([DOMAIN], other.admin);
    expect(second!.record.name).toBe(first!.record.name);
    expect(second!.record.value).not.toBe(first!.record.value);
    dns.records.set(first!.record.name, [first!.record.value]);
    expect((await prove(other.admin))[0]!.proved).toBe(false);
    expect((await prove())[0]!.proved).toBe(true);
    expect(await signIn(`ada@mail.${DOMAIN}`, 'mail')).toBe(403);
  });

  it('which nobody can own count in a sandbox; a silent name server proves nothing; who may not set it may not prove', async () => {
    expect((await set(['company.example', DOMAIN])).map(({ proved }) => proved)).toEqual([true, false]);
    dns.answersNothing = true;
    expect((await prove()).map(({ proved }) => proved)).toEqual([true, false]);
    const weak = company.test.as(apiKeyPrincipal(company.tenantId, { permissions: ['user:write'] }));
    expect((await weak('POST', '/identity-provider/prove-domains')).status).toBe(403);
    expect((await admin('DELETE', '/identity-provider')).status).toBe(204);
    expect((await admin('POST', '/identity-provider/prove-domains')).status).toBe(404);
  });
});
