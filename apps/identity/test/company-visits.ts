import type { TestService } from '@kontor/testing';
import type { LyingProvider } from './lying-provider.js';

export const CALLBACK = '/public/account/company/callback';

interface Visited {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string;
  readonly html: string;
}

/** Somebody's browser on the way to a company's identity provider and back. */
export class CompanyVisit {
  cookies = new Map<string, string>();

  constructor(private readonly test: TestService) {}

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(path: string): Promise<Visited> {
    // The system calls itself by another name than the one at which it listens.
    const url = new URL(path, this.test.service.url);
    url.host = new URL(this.test.service.url).host;
    return this.take(await fetch(url, { redirect: 'manual', headers: { cookie: this.cookie } }));
  }

  async submit(path: string, fields: Record<string, string>): Promise<Visited> {
    const { url } = this.test.service;
    const headers = { cookie: this.cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    return this.take(await fetch(url + path, { method: 'POST', redirect: 'manual', headers, body }));
  }

  /** Begins a sign-in; returns what the provider is asked with. */
  async begin(tenantId: string, query: Record<string, string> = {}): Promise<URL> {
    const { status, location, html } = await this.open(
      `/public/account/company/${tenantId}?${new URLSearchParams(query)}`,
    );
    if (status !== 303) throw new Error(`not begun: ${status} ${html}`);
    return new URL(location);
  }

  /** Begins a sign-in, and comes back with a code as the provider would, which says `claims` of Ada, or of another. */
  async comeBack(
    liar: LyingProvider,
    tenantId: string,
    claims: Record<string, unknown>,
    { query = {}, begin = {} }: { query?: Record<string, string>; begin?: Record<string, string> } = {},
  ): Promise<{ asked: URL; back: string; answer: Visited }> {
    const asked = await this.begin(tenantId, begin);
    const [state, nonce] = [asked.searchParams.get('state')!, asked.searchParams.get('nonce')!];
    liar.claims = { sub: 'ada', email: 'ada@people.example', email_verified: true, name: 'Ada Berg', nonce, ...claims };
    const back = `${CALLBACK}?${new URLSearchParams({ code: 'c', state, ...query })}`;
    return { asked, back, answer: await this.open(back) };
  }

  private async take(response: Response): Promise<Visited> {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const { status, headers } = response;
    return { status, headers, location: headers.get('location') ?? '', html: await response.text() };
  }
}
