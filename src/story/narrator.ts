import { setTimeout as sleep } from 'node:timers/promises';

/** What happens by itself gets this long to happen. */
const PATIENCE_MS = 60_000;

/** Where the story is told, and how its people prove who they are. */
export interface StoryStage {
  /** Base URL of the service. */
  readonly url: string;
  /** Slug of a new tenant in which `administrator` is expected. */
  readonly slug: string;
  readonly tokenFor: (email: string) => Promise<string>;
  readonly print: (line: string) => void;
}

/** A request of the story went otherwise than it is told. */
export class StoryBroken extends Error {}

/** Tells the story: sends each request as somebody, and prints it with its answer. */
export class Narrator {
  private slug: string;

  constructor(private readonly stage: StoryStage) {
    this.slug = stage.slug;
  }

  chapter(title: string): void {
    this.stage.print(`\n## ${title}`);
  }

  /** From now on the tenant is called so. */
  rename(slug: string): void {
    this.slug = slug;
  }

  async person(name: string, email: string): Promise<Teller> {
    const token = await this.stage.tokenFor(email);
    const send: Send = (method, path, expected, body) =>
      this.request({ name, token }, method, path, expected, body);
    return new Teller(send, (path, isSo) => this.wait(token, path, isSo));
  }

  /** Looks again and again, without telling of it. */
  private async wait(token: string, path: string, isSo: (answer: unknown) => boolean): Promise<void> {
    const target = `/api/v1/t/${this.slug}${path}`;
    for (const begin = Date.now(); Date.now() - begin < PATIENCE_MS;) {
      const response = await fetch(`${this.stage.url}${target}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      if (response.ok && isSo(await response.json())) return;
      await sleep(200);
    }
    throw new StoryBroken(`${target} was still not as the story has it after ${PATIENCE_MS / 1000} s.`);
  }

  private async request(
    { name, token }: { name: string; token: string },
    method: string,
    path: string,
    expected: number,
    body?: unknown,
  ): Promise<unknown> {
    const { url, print } = this.stage;
    const target = `/api/v1/t/${this.slug}${path}`;
    const form = body instanceof FormData;
    print(`\n${name}: ${method} ${target}`);
    if (form) print('  multipart/form-data: document (JSON), content (file)');
    else if (body !== undefined) print(indent(JSON.stringify(body, null, 2)));
    const response = await fetch(`${url}${target}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && !form && { 'Content-Type': 'application/json' }),
      },
      body: form ? body : body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = text ? (JSON.parse(text) as unknown) : undefined;
    print(`→ ${response.status}`);
    if (answer !== undefined) print(indent(JSON.stringify(answer, null, 2)));
    if (response.status !== expected) {
      throw new StoryBroken(`${method} ${target} was answered ${response.status} instead of ${expected}.`);
    }
    return answer;
  }
}

type Wait = (path: string, isSo: (answer: unknown) => boolean) => Promise<void>;
type Send = (method: string, path: string, expected: number, body?: unknown) => Promise<unknown>;

/** Somebody in the story. The status is the one that the story expects. */
export class Teller {
  constructor(
    private readonly send: Send,
    private readonly wait: Wait,
  ) {}

  get<T>(path: string, expected = 200): Promise<T> {
    return this.send('GET', path, expected) as Promise<T>;
  }

  /** Gets what is changed by itself, once it is as is asked. */
  async getWhen<T>(path: string, isSo: (answer: T) => boolean): Promise<T> {
    await this.wait(path, (answer) => isSo(answer as T));
    return this.get(path);
  }

  post<T>(path: string, body?: unknown, expected = 201): Promise<T> {
    return this.send('POST', path, expected, body) as Promise<T>;
  }

  put<T>(path: string, body?: unknown, expected = 200): Promise<T> {
    return this.send('PUT', path, expected, body) as Promise<T>;
  }

  async delete(path: string, expected = 204): Promise<void> {
    await this.send('DELETE', path, expected);
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
