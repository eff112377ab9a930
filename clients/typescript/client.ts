import createOpenApiClient, {
  type ClientOptions,
  type FetchOptions,
  type FetchResponse,
  type ParseAs,
  type ParseAsResponse,
} from 'openapi-fetch';
import { ConnectionFailed, FilingProblem } from './errors.js';
import { sleep, waitingTime } from './retries.js';
import { IDEMPOTENT_POSTS, type paths } from './schema.js';

export { ConnectionFailed, FilingProblem } from './errors.js';
export type * from './schema.js';

export interface FilingClientOptions extends Pick<ClientOptions, 'fetch' | 'headers'> {
  /** Base URL of the service. */
  readonly url: string;
  /**
   * Access token, or a function that returns it for each request. If the service rejects the token (401), the client
   * calls the function once more, with the rejected token.
   */
  readonly token: string | ((refused?: string) => string | Promise<string>);
  /** Slug of a tenant. With it, paths begin after `/api/v1/t/{tenant}`; without it, they are complete. */
  readonly tenant?: string;
  /** Maximum number of retries of a request; 5 by default. */
  readonly retries?: number;
  /** Called before each retry. */
  readonly onRetry?: (error: FilingProblem | ConnectionFailed, seconds: number) => void;
  /** Aborts all requests and waits; the `signal` of a request aborts only that request. */
  readonly signal?: AbortSignal;
}

const TENANT = '/api/v1/t/{tenant}';

/** Operations of a tenant, by the path after the tenant. */
export type TenantPaths = {
  [P in keyof paths as P extends `${typeof TENANT}${infer Rest}` ? Rest : never]: {
    [M in keyof paths[P]]: WithoutTenant<paths[P][M]>;
  };
};

type WithoutTenant<Operation> = Operation extends { parameters: { path: infer Path } }
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'path'> &
        (Exclude<keyof Path, 'tenant'> extends never ? { path?: never } : { path: Omit<Path, 'tenant'> });
    }
  : Operation;

type Method = 'get' | 'put' | 'post' | 'delete';
type PathsOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, object> ? P : never;
}[keyof Paths];
type OperationOf<Paths, P extends keyof Paths, M extends Method> =
  Paths[P] extends Record<M, infer Operation extends object> ? Operation : never;
type Init<Operation, As extends ParseAs = 'json'> = FetchOptions<Operation> & { parseAs?: As };
type Arguments<T> = object extends T ? [init?: T] : [init: T];
type Data<Operation extends object> = NonNullable<
  Extract<FetchResponse<Operation, object, `${string}/${string}`>, { error?: never }>['data']
>;

type Call<Paths, M extends Method> = <P extends PathsOf<Paths, M>, As extends ParseAs = 'json'>(
  path: P,
  ...init: Arguments<Init<OperationOf<Paths, P, M>, As>>
) => Promise<{ data: ParseAsResponse<Data<OperationOf<Paths, P, M>>, { parseAs: As }>; response: Response }>;

/** The list operation of a path: GET, or POST for a search. */
type ListOf<Paths, P extends keyof Paths> =
  P extends PathsOf<Paths, 'get'> ? OperationOf<Paths, P, 'get'> : OperationOf<Paths, P, 'post'>;
type Page = { items: unknown[]; nextCursor: string | null };
type PagedPaths<Paths> = {
  [P in keyof Paths]: Data<ListOf<Paths, P>> extends Page ? P : never;
}[keyof Paths];
type ItemOf<Paths, P extends keyof Paths> =
  Data<ListOf<Paths, P>> extends { items: (infer Item)[] } ? Item : never;

/** Calls throw a `FilingProblem` for every answer that is not a success. */
export interface FilingClient<Paths = TenantPaths> {
  readonly GET: Call<Paths, 'get'>;
  readonly PUT: Call<Paths, 'put'>;
  readonly POST: Call<Paths, 'post'>;
  readonly DELETE: Call<Paths, 'delete'>;
  /** Iterates over the items of all pages of a list or a search. */
  pages<P extends PagedPaths<Paths>>(
    path: P,
    ...init: Arguments<Init<ListOf<Paths, P>>>
  ): AsyncGenerator<ItemOf<Paths, P>, void, undefined>;
}

/** The implementation does not use the types of single operations. */
interface AnyInit {
  readonly params?: Readonly<Record<'path' | 'query' | 'header', object | undefined>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

export function createFilingClient(options: FilingClientOptions & { readonly tenant: string }): FilingClient;
export function createFilingClient(
  options: FilingClientOptions & { readonly tenant?: undefined },
): FilingClient<paths>;
export function createFilingClient(options: FilingClientOptions): unknown {
  const { url, tenant, token, retries = 5, onRetry, signal: stop, fetch, headers } = options;
  const api = createOpenApiClient<Record<string, never>>({
    baseUrl: url,
    fetch,
    headers,
    bodySerializer: serialize,
    querySerializer: { array: { style: 'form', explode: false } },
    // Lets Node stream uploads: otherwise it keeps the sent bytes in memory, in case of a redirect.
    requestInitExt: { redirect: 'error', window: null },
  });
  const request = api.request as AnyRequest;
  const tokenOf = async (refused?: string) => (typeof token === 'string' ? token : token(refused));

  async function call(method: string, pathInTenant: string, init: AnyInit = {}, safe = method !== 'POST') {
    const template = tenant === undefined ? pathInTenant : TENANT + pathInTenant;
    const keyed = method === 'POST' && IDEMPOTENT_POSTS.has(template);
    const signal = init.signal && stop ? AbortSignal.any([init.signal, stop]) : (init.signal ?? stop);
    const path = { tenant, ...init.params?.path };
    // One key for all attempts.
    const key = keyed ? { 'Idempotency-Key': crypto.randomUUID() } : {};
    let bearer = await tokenOf();
    let renewed = false;
    for (let attempt = 0; ; attempt += 1) {
      const header = { ...key, ...init.params?.header, Authorization: `Bearer ${bearer}` };
      const answer = await request(method, template, {
        ...init,
        params: { ...init.params, path, header },
        signal,
      }).then(
        ({ data, error, response }) =>
          response.ok ? { data, response } : new FilingProblem(response, error),
        (error: unknown) => ConnectionFailed.of(error, url),
      );
      if (!(answer instanceof Error)) return answer;
      if (answer.status === 401 && !renewed) {
        renewed = true;
        const refused = bearer;
        bearer = await tokenOf(refused);
        if (bearer !== refused) continue;
      }
      const seconds = attempt < retries ? waitingTime(answer, attempt, safe || keyed) : null;
      if (seconds === null) throw answer;
      onRetry?.(answer, seconds);
      await sleep(seconds, signal);
    }
  }

  async function* pages(path: string, init: AnyInit = {}) {
    let cursor: string | null | undefined;
    let isEmpty: boolean;
    do {
      // The cursor replaces the first position in an event log.
      const at = cursor == null ? {} : { cursor, after: undefined };
      const { data } = init.body
        ? await call('POST', path, { ...init, body: { ...init.body, ...at } }, true)
        : await call('GET', path, {
            ...init,
            params: { ...init.params, query: { ...init.params?.query, ...at } } as never,
          });
      const page = data as Page;
      yield* page.items;
      cursor = page.nextCursor;
      isEmpty = page.items.length === 0;
      // Event logs always have a cursor. Their empty page is the last one for now.
    } while (cursor !== null && !isEmpty);
  }

  const method = (name: string) => (path: string, init?: AnyInit) => call(name, path, init);
  return { GET: method('GET'), PUT: method('PUT'), POST: method('POST'), DELETE: method('DELETE'), pages };
}

/**
 * Sends a body with a `Blob` as multipart form; its other members are parts in JSON. Blobs are streamed: a file of a
 * browser or of `fs.openAsBlob` is never completely in memory.
 */
function serialize(body: unknown): FormData | string {
  const parts = Object.entries(body instanceof Blob ? { content: body } : (body as Record<string, unknown>));
  if (!parts.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of parts) {
    form.append(
      name,
      value instanceof Blob ? value : new Blob([JSON.stringify(value)], { type: 'application/json' }),
    );
  }
  return form;
}
