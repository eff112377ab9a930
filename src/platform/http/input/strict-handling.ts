import { type ExecutionContext, Injectable } from '@nestjs/common';
import { isJsonObject } from '../../../common/json-object.js';
import { memberPath } from '../../../common/member-path.js';
import { type Message, message } from '../../../common/messages/message.js';
import { type FieldErrors, invalid } from '../../../common/problem.js';
import { type EndpointOptions } from '../endpoint/endpoint-options.js';
import { requestOf, responseOf } from '../pipeline/request-state.js';
import { BodySchemas } from './body-schemas.js';
import { unknownMembers } from './unknown-members.js';
import { errorsIn, toInstance } from './validation.pipe.js';

/** One preference of the header: preferences are separated by commas, which can also occur inside quotes. */
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;
const NAME_AND_VALUE = /^\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))\s*(?:;|$)/;

/** Whether a Prefer header contains `handling=strict` (RFC 7240, 4.4). The first `handling` counts. */
export function prefersStrict(header: string): boolean {
  for (const [preference] of header.matchAll(PREFERENCE)) {
    const [, name, quoted, plain] = NAME_AND_VALUE.exec(preference) ?? [];
    if (name?.toLowerCase() === 'handling') return (quoted ?? plain)?.toLowerCase() === 'strict';
  }
  return false;
}

/** Implements `Prefer: handling=strict`: unknown parameters, members and parts are rejected instead of ignored. */
@Injectable()
export class StrictHandling {
  constructor(private readonly schemas: BodySchemas) {}

  /** Returns null for a request without `handling=strict`. */
  of(context: ExecutionContext, endpoint: EndpointOptions): StrictRequest | null {
    const { query, headers } = requestOf(context);
    if (typeof headers.prefer !== 'string' || !prefersStrict(headers.prefer)) return null;
    responseOf(context).setHeader('Preference-Applied', 'handling=strict');
    return new StrictRequest(endpoint, query, this.schemas);
  }
}

export class StrictRequest {
  constructor(
    private readonly endpoint: EndpointOptions,
    private readonly query: object,
    private readonly schemas: BodySchemas,
  ) {}

  /** Throws a 400 if a parameter or member is unknown. It lists these and all other errors of query and body. */
  check(body?: unknown): void {
    const { body: bodyClass, query: queryClass } = this.endpoint;
    const declared = this.schemas.parametersOf(this.endpoint.operation);
    const parameters = Object.keys(this.query).filter((name) => !declared.has(name));
    const members = bodyClass ? this.unknownIn(body) : [];
    if (parameters.length + members.length === 0) return;
    const errors = noErrors();
    add(errors, parameters.map(pathOf), message('value.unknown-parameter'));
    add(errors, members, message('value.unknown-member'));
    if (queryClass) merge(errors, errorsIn(toInstance(queryClass, this.query)));
    if (bodyClass && isJsonObject(body)) merge(errors, errorsIn(toInstance(bodyClass, body)));
    throw invalid(errors);
  }

  checkParts(unknown: readonly string[]): void {
    if (unknown.length === 0) return;
    const errors = noErrors();
    add(errors, unknown.map(pathOf), message('value.unknown-part'));
    throw invalid(errors);
  }

  private unknownIn(body: unknown): string[] {
    const { schema, named } = this.schemas.ofBody(this.endpoint.operation);
    return unknownMembers(body, schema, named);
  }
}

/** An object without prototype, so that `__proto__` can be a key. */
function noErrors(): FieldErrors {
  return Object.create(null) as FieldErrors;
}

function pathOf(name: string): string {
  return memberPath(name).replace(/^\./, '');
}

function add(errors: FieldErrors, paths: readonly string[], one: Message): void {
  merge(errors, Object.fromEntries(paths.map((path) => [path, [one]])));
}

function merge(errors: FieldErrors, others: FieldErrors): void {
  for (const [path, messages] of Object.entries(others)) (errors[path] ??= []).push(...messages);
}
