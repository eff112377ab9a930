export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads; null when there is none. */
  readonly location: string | null;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** As much of a browser as a login needs: cookies by path, redirects, forms. Only for one host. */
export class Browser {
  /** As they were sent, for looking at their attributes. */
  readonly setCookies: string[] = [];
  private readonly cookies = new Map<string, Cookie>();

  /** One request; redirects are not followed. */
  async request(url: string, init: RequestInit = {}): Promise<Page> {
    const { pathname } = new URL(url);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
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

  /** Follows redirects as long as they stay on the host where it began. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let page = await this.request(url, { ...init, headers: { accept: 'text/html' } });
    while (page.location && new URL(page.location).host === new URL(url).host && !isCallback(page.location)) {
      page = await this.get(page.location, { accept: 'text/html' });
    }
    return page;
  }

  /** Sends a form; the answer is the page it leads to, or the redirect that leaves the issuer. */
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

/** Back at the client, which is nobody who answers here. */
function isCallback(url: string): boolean {
  return new URL(url).pathname.startsWith('/docs/');
}
