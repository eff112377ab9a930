import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Schemas } from '../../contract/schema-shape.js';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { BODY_LIMITS } from '../../../src/platform/http/endpoint/endpoint-options.js';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { BadInputFixture, TIMEOUT_MS } from './support/bad-input-fixture.js';
import { type Expected, type InputCase, BadInputRunner } from './support/bad-input-runner.js';
import {
  type RawBody,
  type RawBodies,
  BODIES_FOR_ALL_OPERATIONS,
  validBodies,
  malformedBodies,
  unsupportedMediaTypeBodies,
  tooLargeBodies,
} from './support/raw-bodies.js';
import { BodyMutations, toJsonText } from './support/body-mutations.js';
import { bodyRulesOf, operationSpecificMutations } from './support/operation-specific-mutations.js';
import { type DescribedOperation, describedOperations } from './support/described-operations.js';
import { RotatingSample } from '../support/case-selection.js';

/** Never returns 400 for the content of its JSON body. A tenant has few attempts an hour. */
const CHANGE_SLUG = 'ChangeTenantSlug';
const SLUG_ATTEMPTS = 9;
/** The number of former slugs that a tenant keeps. */
const SLUG_CHANGES = 3;
/** Writes to one tenant wait for each other, up to a timeout. */
const CONCURRENT_WRITES = 4;
/** Operations that return 404 for a valid request, because the caller is not the invited user. */
/** A tenant can have at most 20 webhooks, a member 3 unfinished exports; a due file is in one disposal only; that of the samples is not submitted. */
const CONFLICTING = ['CreateWebhook', 'CreateExport', 'CreateDisposal', 'RejectDisposal'];
const FOR_INVITED_USERS = ['AcceptInvitation', 'DeclineInvitation'];

/** All operations read bodies in the same way. `npm test` sends all raw bodies to this one, and a sample to the others. */
const OPERATION_WITH_ALL_BODIES = 'CreateTag';

describe('Bad bodies', () => {
  let runner: BadInputRunner;
  let schemas: Schemas;
  let operations: DescribedOperation[];
  /** Nothing may be written to `fixture`. Valid bodies are sent to `writableFixture`. */
  let fixture: BadInputFixture;
  let writableFixture: BadInputFixture;
  const rotation = new RotatingSample();
  beforeAll(async () => {
    const document = service.app.get(OpenApiDocument).document;
    schemas = document.components?.schemas as Schemas;
    operations = describedOperations(document).filter(({ body }) => body !== null);
    fixture = await BadInputFixture.create(service);
    writableFixture = await BadInputFixture.create(service);
    runner = new BadInputRunner(service);
  });
  afterAll(() => {
    runner.stop();
  });

  const isValid = ({ expected }: InputCase) => 'accepted' in expected;

  function caseOf(
    operation: DescribedOperation,
    on: BadInputFixture,
    one: Pick<InputCase, 'kind' | 'what' | 'body' | 'expected'>,
    headers: Readonly<Record<string, string>> = {},
  ): InputCase {
    const all = { ...on.headers(operation), ...headers };
    if (all['Content-Type'] === '') delete all['Content-Type'];
    const { id, method } = operation;
    return { ...one, operation: id, method, target: on.target(operation), headers: all };
  }

  function accepted({ id, statuses }: DescribedOperation, ...more: number[]): Expected {
    const success = statuses.filter((status) => status < 300);
    const others = CONFLICTING.includes(id) ? [409, ...more] : more;
    return { accepted: FOR_INVITED_USERS.includes(id) ? [404] : [...success, ...others] };
  }

  /** `npm test` uses one mutation of each kind for each member. */
  function mutations(operation: DescribedOperation): InputCase[] {
    const { body: shape, id } = operation;
    const refused = (at: string): Expected =>
      id === CHANGE_SLUG ? { refused: 'tenant.slug-unavailable' } : { refused: 'request.invalid', at };
    return [fixture, writableFixture].flatMap((on) =>
      on.bodies(operation).flatMap((body) => {
        const rules = bodyRulesOf(operation, body);
        const found = shape ? BodyMutations.of(shape, body, schemas, rules) : [];
        const ofFixture = [...found, ...operationSpecificMutations(operation, body)].filter(
          ({ at }) => (at === null) === (on === writableFixture),
        );
        const chosen = rotation.choose(
          ofFixture,
          ({ kind }) => kind,
          ({ member }) => member,
        );
        return chosen.map(({ kind, what, body: sent, at }) => {
          // A valid body may conflict with an existing name (409), or name a version that does not exist (404).
          const others = id === 'CreateContentLink' ? [404, 409] : [409];
          const expected = at === null ? accepted(operation, ...others) : refused(at);
          return caseOf(operation, on, { kind, what, body: toJsonText(sent), expected });
        });
      }),
    );
  }

  const endpointOf = (id: string) =>
    service.app.get(RouteTable).routes.find(({ endpoint }) => endpoint?.operation === id)?.endpoint;

  /** `npm test` uses those for all operations, and one more of each kind. */
  const casesFor =
    (bodiesOf: RawBodies) =>
    (operation: DescribedOperation): InputCase[] => {
      const notAnObject: Expected =
        operation.id === CHANGE_SLUG
          ? { refused: 'tenant.slug-unavailable' }
          : { refused: 'request.invalid', at: '$' };
      const { bytes: limit } = BODY_LIMITS[endpointOf(operation.id)?.bodyLimit ?? 'normal'];
      const all = bodiesOf(() => JSON.stringify(writableFixture.bodies(operation)[0]), notAnObject, limit);
      const kindOf = ({ kind, what }: RawBody) =>
        BODIES_FOR_ALL_OPERATIONS.includes(`${kind}: ${what}`) ? `${kind}: ${what}` : kind;
      const chosen =
        operation.id === OPERATION_WITH_ALL_BODIES ? all : rotation.choose(all, kindOf, () => '');
      return chosen.map(({ kind, what, bytes, headers, expected }) =>
        caseOf(
          operation,
          expected ? fixture : writableFixture,
          { kind, what, body: bytes, expected: expected ?? accepted(operation) },
          headers,
        ),
      );
    };

  /** Returns the failures of the invalid cases. Expects that they write nothing. */
  async function runInvalid(cases: readonly InputCase[], tenant: TestTenant): Promise<string[]> {
    const before = await tenant.fingerprint();
    const failures = await runner.failures(cases.filter((one) => !isValid(one)));
    expect(await tenant.fingerprint()).toEqual(before);
    return failures;
  }

  const runValid = (cases: readonly InputCase[]) => runner.failures(cases.filter(isValid), CONCURRENT_WRITES);

  /** Spreads the cases over many tenants, `each` cases to a tenant, because attempts are limited. */
  async function runOnManyTenants(
    operation: DescribedOperation,
    cases: InputCase[],
    each: number,
  ): Promise<string[]> {
    const failures: string[] = [];
    for (let start = 0; start < cases.length; start += each) {
      const tenant = await service.tenant();
      const { token } = await tenant.as('administrator');
      const moved = cases.slice(start, start + each).map((one) => ({
        ...one,
        target: fixture.target(operation, { tenant: tenant.slug }),
        headers: { ...one.headers, Authorization: `Bearer ${token}` },
      }));
      failures.push(...(await runInvalid(moved, tenant)), ...(await runValid(moved)));
    }
    return failures;
  }

  const runAll = async (casesOf: (operation: DescribedOperation) => InputCase[]): Promise<string[]> => {
    const cases = operations.filter(({ id }) => id !== CHANGE_SLUG).map(casesOf);
    const failures = await runInvalid(cases.flat(), fixture.tenant);
    for (const ofOperation of cases) failures.push(...(await runValid(ofOperation)));
    return failures;
  };
  const slug = () => operations.filter(({ id }) => id === CHANGE_SLUG);

  it('are derived from valid bodies, which every operation accepts', async () => {
    const failures = await runner.failures(
      operations
        .filter(({ id }) => id !== CHANGE_SLUG)
        .flatMap((operation) =>
          writableFixture.bodies(operation).map((body) =>
            caseOf(operation, writableFixture, {
              kind: 'valid',
              what: 'unchanged',
              body: JSON.stringify(body),
              expected: accepted(operation),
            }),
          ),
        ),
    );
    expect(failures).toEqual([]);
  });

  it(
    'with a member that violates the schema are refused with its path and without a write',
    async () => {
      expect(await runAll(mutations)).toEqual([]);
      expect(runner.total).toBeGreaterThan(sized(650, 4500));
    },
    TIMEOUT_MS,
  );

  it.each([
    [
      400,
      'that is not JSON in UTF-8, not an object, or nested too deeply',
      malformedBodies,
      sized(370, 2700),
    ],
    [413, 'with more bytes than the operation accepts', tooLargeBodies, sized(45, 65)],
    [
      415,
      'with another media type, charset or content encoding',
      unsupportedMediaTypeBodies,
      sized(150, 950),
    ],
  ] as const)(
    'returns %i for a body %s, and writes nothing',
    async (_status, _what, bodiesOf, least) => {
      const before = runner.total;
      expect(await runAll(casesFor(bodiesOf))).toEqual([]);
      expect(runner.total - before).toBeGreaterThan(least);
    },
    TIMEOUT_MS,
  );

  it(
    'that are unusual but valid are accepted',
    async () => {
      const before = runner.total;
      expect(await runAll(casesFor(validBodies))).toEqual([]);
      expect(runner.total - before).toBeGreaterThan(sized(40, 430));
      expect('polluted' in {}).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'of ChangeTenantSlug are all refused as an unavailable slug',
    async () => {
      const kinds = [
        mutations,
        ...[malformedBodies, tooLargeBodies, unsupportedMediaTypeBodies, validBodies].map(casesFor),
      ];
      for (const operation of slug()) {
        const cases = kinds.flatMap((casesOf) => casesOf(operation));
        const [bad, valid] = [cases.filter((one) => !isValid(one)), cases.filter(isValid)];
        expect(await runOnManyTenants(operation, bad, SLUG_ATTEMPTS)).toEqual([]);
        expect(await runOnManyTenants(operation, valid, SLUG_CHANGES)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  it('were sent to every operation with a JSON body', () => {
    const { routes } = service.app.get(RouteTable);
    const ids = routes.flatMap(({ endpoint }) => (endpoint?.body ? [endpoint.operation] : []));
    const untried = ids.flatMap((id) =>
      BODIES_FOR_ALL_OPERATIONS.filter((form) => !runner.sentCases.get(id)?.has(form)).map(
        (form) => `${id}: ${form}`,
      ),
    );
    expect(untried).toEqual([]);
    expect([...runner.sentCases.keys()].sort()).toEqual(ids.sort());
  });
});
