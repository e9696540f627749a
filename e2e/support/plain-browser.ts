interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly host: string;
}

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** As much of a browser as pages without scripts need: cookies by path, redirects, forms. */
export class PlainBrowser {
  private cookies: Cookie[] = [];

  /** `leaves`: addresses that are not opened but looked at: where an app would take over. */
  constructor(private readonly leaves: (url: URL) => boolean = () => false) {}

  open(url: string | URL): Promise<Page> {
    return this.follow(new URL(url), { method: 'GET' });
  }

  /** Sends the form of a page, with its hidden fields and what is filled in. */
  submit(page: Page, fields: Record<string, string> = {}): Promise<Page> {
    const action = /<form method="post" action="([^"]*)"/.exec(page.html)?.[1];
    if (action === undefined) throw new Error(`no form at ${page.url.href}:\n${page.html.slice(-600)}`);
    const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams([
      ...hidden.map(([, name, value]) => [name!, unescape(value!)]),
      ...Object.entries(fields),
    ]);
    return this.follow(new URL(unescape(action), page.url), {
      method: 'POST',
      body: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin },
    });
  }

  cookie(name: string): string | undefined {
    return this.cookies.find((cookie) => cookie.name === name)?.value;
  }

  setCookie(name: string, value: string): void {
    this.cookies = this.cookies.map((cookie) => (cookie.name === name ? { ...cookie, value } : cookie));
  }

  private async follow(start: URL, init: RequestInit): Promise<Page> {
    let [url, request] = [start, init];
    for (let hops = 0; hops < 15; hops++) {
      if (this.leaves(url)) return { url, status: 0, html: '', headers: new Headers() };
      const headers = { accept: 'text/html', ...request.headers, cookie: this.sent(url) };
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      this.keep(url, response.headers.getSetCookie());
      const html = withoutStyle(await response.text());
      const target = targetOf(response, html);
      if (target === undefined) return { url, status: response.status, html, headers: response.headers };
      [url, request] = [new URL(target, url), { method: 'GET' }];
    }
    throw new Error(`too many redirects from ${start.href}`);
  }

  private sent(url: URL): string {
    const isSent = ({ host, path }: Cookie): boolean =>
      host === url.hostname &&
      (url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
    return this.cookies
      .filter(isSent)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private keep(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair, ...attributes] = line.split(/; */);
      const [name, value] = pair!.split(/=(.*)/s) as [string, string];
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const isOver = attributes.some((attribute) => /^expires=.* 1970/i.test(attribute));
      this.cookies = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      if (!isOver) this.cookies.push({ name, value, path, host: url.hostname });
    }
  }
}

/** Where an answer leads on at once, by its status or by its page. */
function targetOf({ status, headers }: Response, html: string): string | undefined {
  if (status >= 300 && status < 400) return headers.get('location') ?? undefined;
  const target = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(html)?.[1];
  return target && unescape(target);
}

const unescape = (text: string): string =>
  text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');
/** What failed tests print is to be read. */
const withoutStyle = (html: string): string => html.replace(/<style>.*?<\/style>/s, '');
