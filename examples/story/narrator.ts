import { setTimeout as sleep } from 'node:timers/promises';
import { type FilingClient, FilingProblem, createFilingClient } from '../../clients/typescript/client.js';

/** How long the story waits for what the service does by itself. */
const LONGEST_WAIT_MS = 60_000;

/** Where the story is told, and how its people prove who they are. */
export interface StoryStage {
  /** Base URL of the service. */
  readonly url: string;
  /** Slug of a new tenant in which `administrator` is expected. */
  readonly slug: string;
  readonly tokenFor: (email: string) => Promise<string>;
  readonly print: (line: string) => void;
}

/** A request was answered otherwise than the story tells. */
export class StoryBroken extends Error {}

/** Gives each person a client that prints every request with its answer. */
export class Narrator {
  constructor(private readonly stage: StoryStage) {}

  chapter(title: string): void {
    this.stage.print(`\n## ${title}`);
  }

  async person(name: string, email: string, slug = this.stage.slug): Promise<FilingClient> {
    return createFilingClient({
      url: this.stage.url,
      tenant: slug,
      token: await this.stage.tokenFor(email),
      fetch: (request) => this.tell(name, request),
    });
  }

  /** Repeats a request until its answer is as expected, without printing it. */
  async until(email: string, isSo: (quiet: FilingClient) => Promise<boolean>): Promise<void> {
    const { url, slug, tokenFor } = this.stage;
    const quiet = createFilingClient({ url, tenant: slug, token: await tokenFor(email) });
    for (const begin = Date.now(); Date.now() - begin < LONGEST_WAIT_MS; await sleep(200)) {
      if (await isSo(quiet)) return;
    }
    throw new StoryBroken(`What the story waits for did not happen within ${LONGEST_WAIT_MS / 1000} s.`);
  }

  /** Expects that a request is refused with this status. */
  async refused(status: number, request: Promise<unknown>): Promise<void> {
    const answer = await request.catch((error: unknown) => error);
    if (!(answer instanceof FilingProblem)) throw new StoryBroken(`Expected ${status}, and it was done.`);
    if (answer.status !== status) throw answer;
  }

  private async tell(name: string, request: Request): Promise<Response> {
    const { print } = this.stage;
    const { pathname, search } = new URL(request.url);
    print(`\n${name}: ${request.method} ${pathname}${search}`);
    if (request.headers.get('Content-Type')?.startsWith('multipart/'))
      print('  multipart/form-data: document (JSON), content (file)');
    else if (request.body) printJson(print, await request.clone().text());
    const response = await fetch(request);
    print(`→ ${response.status}`);
    printJson(print, await response.clone().text());
    return response;
  }
}

function printJson(print: (line: string) => void, text: string): void {
  if (text) print(JSON.stringify(JSON.parse(text), null, 2).replace(/^/gm, '  '));
}
