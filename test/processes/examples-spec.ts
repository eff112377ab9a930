import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
} from '@nestjs/swagger';
import { DemoService } from '../support/service/demo-service.js';
import { Conformance } from '../contract/conformance.js';

jest.setTimeout(600_000);

/** The invited users of two operations. Their example cannot contain a secret, because the service returns a secret only once. */
const INVITED: Readonly<Record<string, string>> = {
  AcceptInvitation: 'bob@example.com',
  DeclineInvitation: 'carol@example.com',
};

/** The only compressed responses: they are the same for all callers, and their entity tags are not used in If-Match. */
const COMPRESSED = ['GetOpenApiDocument', 'GetOpenApi30Document'];

interface Documented {
  readonly operation: OperationObject;
  readonly method: string;
  readonly path: string;
}

interface Sent {
  readonly mediaType: string | null;
  readonly status: number;
  readonly encoding: string | null;
  readonly body: unknown;
}

describe('The examples of the OpenAPI document', () => {
  let service: DemoService;
  let document: OpenAPIObject;
  let conformance: Conformance;
  let administrator: string;
  beforeAll(async () => {
    service = await DemoService.start({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' });
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    conformance = new Conformance(document);
    administrator = await service.token('administrator');
    await waitUntilProcessed();
  });
  afterAll(() => service?.stop());

  /** Users of the page see processed documents, too. */
  async function waitUntilProcessed(): Promise<void> {
    for (;;) {
      const response = await fetch(`${service.url}/api/v1/t/demo/documents?status=Processing`, {
        headers: { authorization: `Bearer ${administrator}` },
      });
      const { items } = (await response.json()) as { items: unknown[] };
      if (items.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** In the order of the page. */
  function operations(): Documented[] {
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        operation: operation as OperationObject,
        method: method.toUpperCase(),
        path,
      })),
    );
  }

  /** The URL with the values that the page fills in: the examples of the parameters, or else their defaults. */
  function urlOf({ operation, path }: Documented): string {
    let filled = path;
    const query = new URLSearchParams();
    for (const parameter of (operation.parameters ?? []) as ParameterObject[]) {
      const { name, in: where, required, schema } = parameter;
      const { example, default: usual } = schema as { example?: string; default?: string | number };
      const value = (parameter.example as string | number | undefined) ?? example ?? usual;
      if (value === undefined) {
        if (required)
          throw new Error(`${operation.operationId} has no example of ${name}: ${JSON.stringify(parameter)}`);
      } else if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (where === 'query') query.set(name, String(value));
      else throw new Error(`${operation.operationId} would send ${name} along`);
    }
    return service.url + filled + (query.size > 0 ? `?${query.toString()}` : '');
  }

  /** The example body for each media type, with a text file where the user would choose one. */
  function bodiesOf({
    requestBody,
  }: OperationObject): [string | null, (secret?: string) => string | Blob | FormData | undefined][] {
    if (!requestBody) return [[null, () => undefined]];
    const { content } = requestBody as RequestBodyObject;
    const file = new Blob(['Ein Lageplan in Worten.\n'], { type: 'text/plain' });
    return Object.entries(content).map(([mediaType, { example }]) => [
      mediaType,
      (secret) => {
        if (mediaType === 'application/json') {
          const json = example as object;
          return JSON.stringify(secret === undefined ? json : { ...json, secret });
        }
        if (mediaType !== 'multipart/form-data') return file;
        const form = new FormData();
        for (const [part, value] of Object.entries((example ?? {}) as Record<string, object>))
          form.append(part, new Blob([JSON.stringify(value)], { type: 'application/json' }));
        form.append('content', file, 'lageplan.txt');
        return form;
      },
    ]);
  }

  async function send(documented: Documented): Promise<Sent[]> {
    const { operation, method } = documented;
    const invited = INVITED[operation.operationId ?? ''];
    const token = invited === undefined ? administrator : await service.token(invited);
    const sent: Sent[] = [];
    for (const [mediaType, bodyOf] of bodiesOf(operation)) {
      await waitUntilProcessed();
      const body = bodyOf(invited === undefined ? undefined : await secretFor(invited));
      const headers: Record<string, string> = {
        accept: '*/*',
        'accept-language': 'en',
        'accept-encoding': 'gzip, br',
      };
      if ((operation.security ?? []).length > 0) headers.authorization = `Bearer ${token}`;
      // For a form, fetch sets the content type with its boundary.
      if (mediaType !== null && mediaType !== 'multipart/form-data')
        headers['content-type'] = mediaType.replace('*/*', 'text/plain');
      const url = urlOf(documented);
      const response = await fetch(url, { method, headers, body });
      const type = response.headers.get('content-type') ?? '';
      const isStream = type.startsWith('text/event-stream');
      // A stream does not end by itself.
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const answer: unknown = /[/+]json(;|$)/.test(type) ? JSON.parse(text) : text;
      if (headers.authorization !== undefined)
        conformance.check(method.toLowerCase(), url, {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: answer,
        });
      const encoding = response.headers.get('content-encoding');
      sent.push({ mediaType, status: response.status, encoding, body: answer });
    }
    return sent;
  }

  const secrets = new Map<string, string>();
  async function secretFor(email: string): Promise<string> {
    const found = secrets.get(email);
    if (found !== undefined) return found;
    const headers = { authorization: `Bearer ${administrator}`, 'content-type': 'application/json' };
    const base = `${service.url}/api/v1/t/demo`;
    const roles = (await (await fetch(`${base}/roles`, { headers })).json()) as {
      items: { id: string; key: string }[];
    };
    const response = await fetch(`${base}/invitations`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, roleId: roles.items.find(({ key }) => key === 'guest')?.id }),
    });
    return ((await response.json()) as { secret: string }).secret;
  }

  it('work unchanged, in the order of the page, in the demo tenant after the first start', async () => {
    const found: object[] = [];
    const expected: object[] = [];
    for (const documented of operations()) {
      const { operation } = documented;
      const name = operation.operationId ?? '';
      const success = Math.min(
        ...Object.keys(operation.responses)
          .map(Number)
          .filter((status) => status < 300),
      );
      for (const { mediaType, status, encoding, body } of await send(documented)) {
        if (name === 'CreateInvitation') secrets.set('bob@example.com', (body as { secret: string }).secret);
        // Show the body of an unexpected response in the failure.
        found.push({ name, mediaType, status, encoding, ...(status !== success && { body }) });
        expected.push({
          name,
          mediaType,
          status: success,
          encoding: COMPRESSED.includes(name) ? 'br' : null,
        });
      }
    }
    expect(found).toEqual(expected);
    expect(new Set(found.map((each) => (each as { name: string }).name)).size).toBe(operations().length);
  });
});
