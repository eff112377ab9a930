import { setTimeout as sleep } from 'node:timers/promises';

/** What the service answered instead of doing what was asked. */
export class RequestRefused extends Error {
  constructor(
    readonly status: number,
    /** Path of the problem's type: `/problems/file.number-taken`. */
    readonly type: string,
    message: string,
  ) {
    super(message);
    this.name = 'RequestRefused';
  }
}

export interface FilingClientOptions {
  /** Base URL of the service, without a slash at its end. */
  readonly url: string;
  readonly tenant: string;
  readonly token: () => Promise<string>;
  /** Told when a request has to wait, and for how many seconds. */
  readonly onWait?: (seconds: number, reason: string) => void;
  readonly signal?: AbortSignal;
}

export interface RequestOptions {
  readonly json?: unknown;
  /** Makes the body; it is called for each attempt, for a stream is read once. */
  readonly form?: () => FormData | Promise<FormData>;
  readonly idempotencyKey?: string;
}

interface ProblemDocument {
  type?: string;
  title?: string;
  detail?: string;
  errors?: Record<string, string[]>;
}

const MAX_ATTEMPTS = 8;

/**
 * A client of the HTTP API like any other. It waits out 429 and 503 by `Retry-After`, and tries again after a broken
 * connection where that cannot do anything twice: reads, and writes with an Idempotency-Key.
 */
export class FilingClient {
  constructor(private readonly options: FilingClientOptions) {}

  get<T>(path: string): Promise<T> {
    return this.request<T>('GET', path);
  }

  post<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return this.request<T>('POST', path, options);
  }

  put<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return this.request<T>('PUT', path, options);
  }

  delete(path: string): Promise<void> {
    return this.request('DELETE', path);
  }

  /** Every item of a paged list. */
  async *all<T>(path: string): AsyncGenerator<T> {
    let cursor: string | null = null;
    do {
      const separator = path.includes('?') ? '&' : '?';
      const page: { items: T[]; nextCursor: string | null } = await this.get(
        `${path}${separator}limit=200${cursor ? `&cursor=${cursor}` : ''}`,
      );
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  private async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const repeatable = method === 'GET' || options.idempotencyKey !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= MAX_ATTEMPTS;
      let response: Response;
      try {
        response = await this.send(method, path, options);
      } catch (error) {
        if (last || !repeatable || this.options.signal?.aborted) throw unreachable(error);
        await this.wait(Math.min(2 ** (attempt - 1), 15), 'the connection broke');
        continue;
      }
      if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
      const retryAfter = Number(response.headers.get('retry-after'));
      const problem = await readProblem(response);
      // A rate limit is no failure: it is waited out however often it is met.
      const limited = response.status === 429;
      if (limited) attempt -= 1;
      if (!limited && (last || response.status !== 503 || !repeatable)) {
        throw new RequestRefused(response.status, problem.type ?? '', describe(response.status, problem));
      }
      await this.wait(
        Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : 1,
        problem.title ?? 'not now',
      );
    }
  }

  private async send(
    method: string,
    path: string,
    { json, form, idempotencyKey }: RequestOptions,
  ): Promise<Response> {
    const { url, tenant, token, signal } = this.options;
    return fetch(`${url}/api/v1/t/${tenant}${path}`, {
      method,
      signal,
      headers: {
        Authorization: `Bearer ${await token()}`,
        Accept: 'application/json',
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      body: json === undefined ? await form?.() : JSON.stringify(json),
    });
  }

  private async wait(seconds: number, reason: string): Promise<void> {
    this.options.onWait?.(seconds, reason);
    await sleep(seconds * 1000, undefined, { signal: this.options.signal });
  }
}

async function readProblem(response: Response): Promise<ProblemDocument> {
  try {
    return (await response.json()) as ProblemDocument;
  } catch {
    return {};
  }
}

function describe(status: number, { title, detail, errors }: ProblemDocument): string {
  const faults = Object.entries(errors ?? {}).map(([path, messages]) => `${path} ${messages.join(', ')}`);
  return [title ?? `HTTP ${status}`, faults.length > 0 ? faults.join('; ') : detail]
    .filter(Boolean)
    .join(': ');
}

function unreachable(error: unknown): Error {
  const { cause, message } = error as Error & { cause?: Error };
  return new Error(`The service cannot be reached: ${cause?.message ?? message}`, { cause: error });
}
