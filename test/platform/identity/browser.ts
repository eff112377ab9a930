export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Target of a redirect; null if the answer is not a redirect. */
  readonly location: string | null;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** Simulates the part of a browser that a login needs, for one host: cookies by path, redirects, forms. */
export class Browser {
  /** All `Set-Cookie` lines received, for assertions on their attributes. */
  readonly setCookies: string[] = [];
  private readonly cookies = new Map<string, Cookie>();

  constructor(private readonly send: typeof fetch = fetch) {}

  /** Sends one request without following redirects. */
  async request(url: string, init: RequestInit = {}): Promise<Page> {
    const { pathname } = new URL(url);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await this.send(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location && new URL(location, url).href,
    };
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.request(url, { headers });
  }

  /** Follows redirects on the same host, up to the callback of the client. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let page = await this.request(url, { ...init, headers: { accept: 'text/html' } });
    while (page.location && new URL(page.location).host === new URL(url).host && !isCallback(page.location)) {
      page = await this.get(page.location, { accept: 'text/html' });
    }
    return page;
  }

  /** Posts a form. Returns the final page, or the redirect to the client. */
  submit(url: string, fields: Record<string, string>): Promise<Page> {
    return this.open(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  private keep(line: string): void {
    this.setCookies.push(line);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, { value, path: /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/' });
  }
}

/** Whether the URL is the callback of the client, which no server answers in these tests. */
function isCallback(url: string): boolean {
  return new URL(url).pathname.startsWith('/docs/');
}
