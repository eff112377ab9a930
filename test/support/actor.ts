import { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import superagent from 'superagent';
import { type Test } from 'supertest';
import { type AuditRow, type TestTenant } from './tenant.js';
import { TracedRequest } from './traced-request.js';

type TextParser = (response: IncomingMessage, callback: (error: null, text: string) => void) => void;

/** The response of a stream is never complete: its text is what comes first, and the connection is closed. */
const readStart: TextParser = (response, callback) => {
  response.once('data', (chunk) => {
    callback(null, String(chunk));
    response.destroy();
  });
};
/** The lines of NDJSON, as `items` like those of a list. */
const readLines = (response: IncomingMessage, callback: (error: Error | null, body?: object) => void) => {
  text(response).then(
    (lines) =>
      callback(null, {
        items: lines
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as unknown),
      }),
    callback,
  );
};
// The type declarations describe parsers of browsers.
Object.assign(superagent.parse, { 'text/event-stream': readStart, 'application/x-ndjson': readLines });

interface UserAndToken {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly token: string;
}

/** A user who sends requests. Paths are relative to the tenant. */
export class Actor {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly token: string;

  constructor(
    readonly tenant: TestTenant,
    { userId, subject, email, name, token }: UserAndToken,
  ) {
    this.userId = userId;
    this.subject = subject;
    this.email = email;
    this.name = name;
    this.token = token;
  }

  /** The audit entry of a change by this user, as {@link TestTenant.audit} returns it. */
  entry(action: string, subject_type: string, subject_id: string, summary: string | null): AuditRow {
    return { actor_id: this.userId, actor_name: this.name, action, subject_type, subject_id, summary };
  }

  inTenant(tenant: TestTenant): Actor {
    return new Actor(tenant, this);
  }

  /** Null sends no token. */
  withToken(token: string | null): Actor {
    return new Actor(this.tenant, { ...this, token: token ?? '' });
  }

  get(path: string): Test {
    return this.send('get', path);
  }

  post(path: string, body?: object): Test {
    return withBody(this.send('post', path), body);
  }

  put(path: string, body?: object): Test {
    return withBody(this.send('put', path), body);
  }

  delete(path: string): Test {
    return this.send('delete', path);
  }

  send(method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options', path: string): Test {
    const { service } = this.tenant;
    const url = `${this.base}${path}`;
    const test: Test = new TracedRequest(service.url, method, url, service.agent);
    // Every answer must conform to the OpenAPI document, in all tests.
    void test.expect((response) => service.conformance.check(method, url, response));
    void test.set('X-Forwarded-For', this.address);
    return this.token ? test.set('Authorization', `Bearer ${this.token}`) : test;
  }

  protected get base(): string {
    return `/api/v1/t/${this.tenant.slug}`;
  }

  /** Each user has an IP address of its own, because failed authentications are limited by address. Used only by a service that trusts proxies. */
  private get address(): string {
    return `10.${[...Buffer.from(this.userId.slice(-6), 'hex')].join('.')}`;
  }
}

/** The same user; paths are relative to the API, not to a tenant. */
export class ActorOutsideTenants extends Actor {
  constructor(actor: Actor) {
    super(actor.tenant, actor);
  }

  protected override get base(): string {
    return '/api/v1';
  }

  override withToken(token: string | null): ActorOutsideTenants {
    return new ActorOutsideTenants(super.withToken(token));
  }
}

function withBody(test: Test, body?: object): Test {
  return body === undefined ? test : test.send(body);
}
