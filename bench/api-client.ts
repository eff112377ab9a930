import { setTimeout as sleep } from 'node:timers/promises';

/** The body of a request that creates a document. */
export function documentForm(title: string, content: Blob): FormData {
  const form = new FormData();
  form.set('document', JSON.stringify({ title }));
  form.set('content', content, title);
  return form;
}

/** Sends requests of a user in a tenant. Throws for every answer other than 2xx. */
export class ApiClient {
  constructor(
    private readonly origin: string,
    private readonly slug: string,
    private readonly token: string,
  ) {}

  async send(
    path: string,
    { headers, ...options }: RequestInit & { duplex?: 'half' } = {},
  ): Promise<Response> {
    const response = await fetch(`${this.origin}/api/v1/t/${this.slug}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.send(path)).json()) as T;
  }

  /** Returns the id of what was created. */
  async create(path: string, body: object): Promise<string> {
    const options = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await this.send(path, { method: 'POST', ...options });
    return ((await response.json()) as { id: string }).id;
  }

  /** Creates a document with a content; returns its id. */
  async upload(title: string, content: Blob): Promise<string> {
    const response = await this.send('/documents', { method: 'POST', body: documentForm(title, content) });
    return ((await response.json()) as { id: string }).id;
  }

  /** Waits until the document or export has another status than these. */
  async waitWhile<T extends { readonly status: string }>(
    path: string,
    ...statuses: readonly string[]
  ): Promise<T> {
    for (;;) {
      const resource = await this.get<T>(path);
      if (!statuses.includes(resource.status)) return resource;
      await sleep(200);
    }
  }
}
