import type { TestService } from '@kontor/testing';

/** Somebody's browser on the way to a company's identity provider and back. */
export class CompanyVisit {
  cookies = new Map<string, string>();

  constructor(private readonly test: TestService) {}

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(path: string): Promise<{ status: number; location: string; html: string }> {
    // The system calls itself by another name than the one at which it listens.
    const url = new URL(path, this.test.service.url);
    url.host = new URL(this.test.service.url).host;
    return this.take(await fetch(url, { redirect: 'manual', headers: { cookie: this.cookie } }));
  }

  async submit(
    path: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; location: string; html: string }> {
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

  private async take(response: Response): Promise<{ status: number; location: string; html: string }> {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() };
  }
}
