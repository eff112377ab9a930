import { setTimeout as sleep } from 'node:timers/promises';
import { type FilingClient, FilingProblem, createFilingClient } from '../../clients/typescript/client.js';

const WAIT_TIMEOUT_MS = 60_000;

export interface StoryOptions {
  readonly url: string;
  /** Slug of a new tenant with Paula as expected administrator. */
  readonly slug: string;
  readonly tokenFor: (email: string) => Promise<string>;
  readonly print: (line: string) => void;
  /** Changes the time at which a closed file was closed to 40 years ago, in the database. */
  readonly ageFile: (fileId: string) => Promise<void>;
}

export class UnexpectedAnswer extends Error {}

/** Creates a client for each user that prints every request with its answer. */
export class StoryClients {
  constructor(private readonly options: StoryOptions) {}

  heading(title: string): void {
    this.options.print(`\n## ${title}`);
  }

  /** Prints a text that is not an answer. */
  show(text: string): void {
    this.options.print(text.replace(/^/gm, '  '));
  }

  async clientFor(name: string, email: string, slug = this.options.slug): Promise<FilingClient> {
    return createFilingClient({
      url: this.options.url,
      tenant: slug,
      token: await this.options.tokenFor(email),
      fetch: (request) => this.send(name, request),
    });
  }

  /** Repeats requests until the condition is true, without printing them. */
  async waitUntil(email: string, condition: (quiet: FilingClient) => Promise<boolean>): Promise<void> {
    const { url, slug, tokenFor } = this.options;
    const quiet = createFilingClient({ url, tenant: slug, token: await tokenFor(email) });
    for (const begin = Date.now(); Date.now() - begin < WAIT_TIMEOUT_MS; await sleep(200)) {
      if (await condition(quiet)) return;
    }
    throw new UnexpectedAnswer(`The expected state was not reached within ${WAIT_TIMEOUT_MS / 1000} s.`);
  }

  async expectRefusal(status: number, request: Promise<unknown>): Promise<void> {
    const answer = await request.catch((error: unknown) => error);
    if (!(answer instanceof FilingProblem))
      throw new UnexpectedAnswer(`Expected the status ${status}, but the request succeeded.`);
    if (answer.status !== status) throw answer;
  }

  private async send(name: string, request: Request): Promise<Response> {
    const { print } = this.options;
    const { pathname, search } = new URL(request.url);
    print(`\n${name}: ${request.method} ${pathname}${search}`);
    if (request.headers.get('Content-Type')?.startsWith('multipart/'))
      print('  multipart/form-data: document (JSON), content (file)');
    else if (request.body) printJson(print, await request.clone().text());
    const response = await fetch(request);
    print(`→ ${response.status}`);
    const type = response.headers.get('Content-Type') ?? '';
    if (type === 'application/zip') print(`  ${type}, ${response.headers.get('Content-Length')} bytes`);
    else printJson(print, await response.clone().text());
    return response;
  }
}

function printJson(print: (line: string) => void, text: string): void {
  if (text) print(JSON.stringify(JSON.parse(text), null, 2).replace(/^/gm, '  '));
}
