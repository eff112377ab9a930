import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Schemas } from '../../contract/schema-shape.js';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { BODY_LIMITS } from '../../../src/platform/http/endpoint/endpoint.js';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { sized } from '../../support/exhaustive.js';
import { TestService } from '../../support/service/service.js';
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

/** Its body is never a 400 for what JSON says (decided so), and a tenant has few attempts an hour. */
const SLUG = 'ChangeTenantSlug';
const SLUG_ATTEMPTS = 9;
/** Former slugs lead to a tenant, but no more than these. */
const FORMER_SLUGS = 3;
/** Who writes to one tenant waits for those before them, and not for ever. */
const WRITERS = 4;
/** What only the invited person can answer is 404 for everybody else, whose request is fine all the same. */
const NOT_FOR_OTHERS = ['AcceptInvitation', 'DeclineInvitation'];

/** All operations read their bodies alike: `npm test` sends this one every form, and the others some of each kind. */
const READ_IN_FULL = 'CreateTag';

describe('Bad bodies', () => {
  let service: TestService;
  let runner: BadInputRunner;
  let schemas: Schemas;
  let operations: DescribedOperation[];
  /** Where nothing may be written, and where what is fine may be. */
  let fixture: BadInputFixture;
  let open: BadInputFixture;
  const rotation = new RotatingSample();
  beforeAll(async () => {
    service = await TestService.shared();
    const document = service.app.get(OpenApiDocument).document;
    schemas = document.components?.schemas as Schemas;
    operations = describedOperations(document).filter(({ body }) => body !== null);
    fixture = await BadInputFixture.make(service);
    open = await BadInputFixture.make(service);
    runner = new BadInputRunner(service);
  });
  afterAll(() => {
    runner.stop();
  });

  const isFine = ({ expected }: InputCase) => 'accepted' in expected;

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
    return { accepted: NOT_FOR_OTHERS.includes(id) ? [404] : [...success, ...more] };
  }

  /** In `npm test` one mutation of each kind for each member. */
  function mutations(operation: DescribedOperation): InputCase[] {
    const { body: shape, id } = operation;
    const refused = (at: string): Expected =>
      id === SLUG ? { refused: 'tenant.slug-unavailable' } : { refused: 'request.invalid', at };
    return [fixture, open].flatMap((on) =>
      on.bodies(operation).flatMap((body) => {
        const rules = bodyRulesOf(operation, body);
        const found = shape ? BodyMutations.of(shape, body, schemas, rules) : [];
        const here = [...found, ...operationSpecificMutations(operation, body)].filter(
          ({ at }) => (at === null) === (on === open),
        );
        const chosen = rotation.choose(
          here,
          ({ kind }) => kind,
          ({ member }) => member,
        );
        return chosen.map(({ kind, what, body: sent, at }) => {
          // What is fine by itself may meet something else of the name.
          const expected = at === null ? accepted(operation, 409) : refused(at);
          return caseOf(operation, on, { kind, what, body: toJsonText(sent), expected });
        });
      }),
    );
  }

  const endpointOf = (id: string) =>
    service.app.get(RouteTable).routes.find(({ endpoint }) => endpoint?.operation === id)?.endpoint;

  /** In `npm test` the forms for all operations, and one more of each kind. */
  const formed =
    (formsOf: RawBodies) =>
    (operation: DescribedOperation): InputCase[] => {
      const noObject: Expected =
        operation.id === SLUG
          ? { refused: 'tenant.slug-unavailable' }
          : { refused: 'request.invalid', at: '$' };
      const { bytes: limit } = BODY_LIMITS[endpointOf(operation.id)?.bodyLimit ?? 'normal'];
      const all = formsOf(() => JSON.stringify(open.bodies(operation)[0]), noObject, limit);
      const kindOf = ({ kind, what }: RawBody) =>
        BODIES_FOR_ALL_OPERATIONS.includes(`${kind}: ${what}`) ? `${kind}: ${what}` : kind;
      const chosen = operation.id === READ_IN_FULL ? all : rotation.choose(all, kindOf, () => '');
      return chosen.map(({ kind, what, bytes, headers, expected }) =>
        caseOf(
          operation,
          expected ? fixture : open,
          { kind, what, body: bytes, expected: expected ?? accepted(operation) },
          headers,
        ),
      );
    };

  /** Tries the cases; what is wrong with the answers, and whether something was written that should not be. */
  async function tried(cases: readonly InputCase[], on: readonly TestTenant[]): Promise<string[]> {
    const before = await Promise.all(on.map((tenant) => tenant.fingerprint()));
    const failures = await runner.failures(cases.filter((one) => !isFine(one)));
    expect(await Promise.all(on.map((tenant) => tenant.fingerprint()))).toEqual(before);
    return [...failures, ...(await runner.failures(cases.filter(isFine), WRITERS))];
  }

  /** The attempts of a tenant are few: so many tenants are there for them. */
  async function triedOnManyTenants(
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
      failures.push(...(await tried(moved, [tenant])));
    }
    return failures;
  }

  const all = async (cases: (operation: DescribedOperation) => InputCase[]): Promise<string[]> => {
    const failures: string[] = [];
    for (const operation of operations.filter(({ id }) => id !== SLUG))
      failures.push(...(await tried(cases(operation), [fixture.tenant])));
    return failures;
  };
  const slug = () => operations.filter(({ id }) => id === SLUG);

  it('takes the bodies that all others are made of', async () => {
    const failures = await runner.failures(
      operations
        .filter(({ id }) => id !== SLUG)
        .flatMap((operation) =>
          open.bodies(operation).map((body) =>
            caseOf(operation, open, {
              kind: 'fine',
              what: 'as it is',
              body: JSON.stringify(body),
              expected: accepted(operation),
            }),
          ),
        ),
    );
    expect(failures).toEqual([]);
  });

  it(
    'refuses every member that is not what the document says, names it, and writes nothing',
    async () => {
      expect(await all(mutations)).toEqual([]);
      expect(runner.total).toBeGreaterThan(sized(650, 4500));
    },
    TIMEOUT_MS,
  );

  it.each([
    [400, 'that is not JSON in UTF-8, is no object, or is too deep', malformedBodies, sized(370, 2700)],
    [413, 'of more bytes than the operation takes', tooLargeBodies, sized(45, 65)],
    [415, 'of another media type, charset or content encoding', unsupportedMediaTypeBodies, sized(150, 950)],
  ] as const)(
    '%i: for a body %s; writes nothing',
    async (_status, _what, formsOf, least) => {
      const before = runner.total;
      expect(await all(formed(formsOf))).toEqual([]);
      expect(runner.total - before).toBeGreaterThan(least);
    },
    TIMEOUT_MS,
  );

  it(
    'takes a body that only looks odd',
    async () => {
      const before = runner.total;
      expect(await all(formed(validBodies))).toEqual([]);
      expect(runner.total - before).toBeGreaterThan(sized(40, 430));
      expect('polluted' in {}).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'says that a slug cannot be used, whatever is sent as one',
    async () => {
      const kinds = [
        mutations,
        ...[malformedBodies, tooLargeBodies, unsupportedMediaTypeBodies, validBodies].map(formed),
      ];
      for (const operation of slug()) {
        const cases = kinds.flatMap((casesOf) => casesOf(operation));
        const [bad, fine] = [cases.filter((one) => !isFine(one)), cases.filter(isFine)];
        expect(await triedOnManyTenants(operation, bad, SLUG_ATTEMPTS)).toEqual([]);
        expect(await triedOnManyTenants(operation, fine, FORMER_SLUGS)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  it('has tried every operation with a JSON body, each in all forms that it must refuse', () => {
    const { routes } = service.app.get(RouteTable);
    const ids = routes.flatMap(({ endpoint }) => (endpoint?.body ? [endpoint.operation] : []));
    const untried = ids.flatMap((id) =>
      BODIES_FOR_ALL_OPERATIONS.filter((form) => !runner.tried.get(id)?.has(form)).map(
        (form) => `${id}: ${form}`,
      ),
    );
    expect(untried).toEqual([]);
    expect([...runner.tried.keys()].sort()).toEqual(ids.sort());
  });
});
