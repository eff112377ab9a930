import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusesOf } from '../../src/platform/documentation/operation.js';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { TestService } from '../support/service/service.js';
import { type Case, specCases } from './spec-cases.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Statuses that all operations share. They are tested once for all operations, in test/platform. */
const SHARED_STATUSES = [404, 405, 406, 429, 431, 500, 503];

/** Sends invalid bodies to every operation with a JSON body, as its last case proves. */
const BODY_SPEC = 'test/security/bad-input/bad-input-bodies-spec.ts';
/** Statuses that an invalid JSON body causes in every operation. BODY_SPEC tests them for all operations. */
const SHARED_BODY_STATUSES = [413, 415];

/** Sends requests of rejected callers to every operation in a tenant, as its last case proves. */
const CALLER_SPEC = 'test/security/permissions/rejected-callers-spec.ts';
/** Statuses that CALLER_SPEC tests for all operations in a tenant; in `npm test` each for a sample of them. */
const CALLER_STATUSES = [401, 403, 429];

/**
 * The status of a malformed, unknown or foreign id in a path. test/security/bad-input/bad-input-paths-spec.ts and
 * test/security/tenant-isolation send such ids to all operations.
 */
const UNKNOWN_ID_STATUS = 404;

/** The status at the beginning of the title of a case ("returns 409 when …") or of one of its describes. */
function statusOf(titles: Case): number | null {
  for (const title of [...titles].reverse()) {
    const [, status] = /^(?:returns )?(\d{3})\b/.exec(title) ?? [];
    if (status) return Number(status);
  }
  return null;
}

function kebab(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter, index) => `${index ? '-' : ''}${letter.toLowerCase()}`);
}

describe('The specs', () => {
  let service: TestService;
  let files: Record<string, Case[]>;
  beforeAll(async () => {
    const entries = await readdir(path.join(ROOT, 'test'), { recursive: true });
    const specs = entries
      .map((name) => `test/${name}`)
      .filter(
        (name) =>
          name === BODY_SPEC ||
          name === CALLER_SPEC ||
          /^test\/(resources|platform\/(documentation|health|http))\/.*-spec\.ts$/.test(name),
      );
    [service, files] = [await TestService.shared(), await specCases(specs)];
    // Loading all specs takes long on a busy machine.
  }, 600_000);

  /** The cases whose outermost describe begins with the name of the operation. */
  function casesOf(operation: string): Case[] {
    return Object.values(files)
      .flat()
      .filter(([outermost = '']) => new RegExp(`^${operation}\\b`).test(outermost));
  }

  const endpoints = () =>
    service.app.get(RouteTable).routes.flatMap(({ endpoint, method, path: pattern }) =>
      endpoint
        ? [
            {
              ...{ endpoint, method, isInTenant: pattern.includes(':tenant') },
              hasId: pattern.replace(':tenant', '').includes(':'),
            },
          ]
        : [],
    );

  it('have a file for every operation, named after it', () => {
    const names = new Set(Object.keys(files).map((name) => path.basename(name)));
    const missing = endpoints().filter(
      ({ endpoint }) => !names.has(`${kebab(endpoint.operation)}.e2e-spec.ts`),
    );
    expect(missing.map(({ endpoint }) => endpoint.operation)).toEqual([]);
  });

  it('have a case for every status that an operation declares', () => {
    const missing = endpoints().flatMap(({ endpoint, method, isInTenant, hasId }) => {
      const { success, problems } = statusesOf(endpoint, method);
      const covered = new Set(casesOf(endpoint.operation).map(statusOf));
      // Operations that also accept content return these statuses for other reasons and need their own cases.
      const isCovered = (status: number) =>
        (endpoint.body && !endpoint.upload && SHARED_BODY_STATUSES.includes(status)) ||
        (isInTenant && CALLER_STATUSES.includes(status)) ||
        (hasId && status === UNKNOWN_ID_STATUS);
      const needed = [
        ...success.filter((status) => status !== endpoint.success),
        ...problems.filter((status) => !isCovered(status)),
      ];
      const uncovered = needed.filter((status) => !covered.has(status));
      // A case without a status in its title counts as a case of success.
      if (!covered.has(endpoint.success) && !covered.has(null)) uncovered.unshift(endpoint.success);
      return uncovered.length > 0 ? [`${endpoint.operation}: ${uncovered.join(', ')}`] : [];
    });
    expect(missing).toEqual([]);
  });

  it('have a case for every status that all operations share', () => {
    const covered = new Set(
      Object.entries(files)
        .filter(([name]) => name.startsWith('test/platform/'))
        .flatMap(([, cases]) => cases.map(statusOf)),
    );
    expect(SHARED_STATUSES.filter((status) => !covered.has(status))).toEqual([]);
  });

  it.each([
    ['rejected callers', CALLER_SPEC, CALLER_STATUSES],
    ['invalid JSON bodies', BODY_SPEC, [400, ...SHARED_BODY_STATUSES]],
  ])('have cases for %s in all operations', (_, name, statuses) => {
    expect((files[name] ?? []).map(statusOf)).toEqual(expect.arrayContaining(statuses));
  });

  it('name an existing operation in their outermost describe', () => {
    const names = endpoints().map(({ endpoint }) => endpoint.operation);
    const lost = Object.entries(files)
      .filter(([name]) => name.startsWith('test/resources/') && name.endsWith('.e2e-spec.ts'))
      .flatMap(([name, cases]) =>
        [...new Set(cases.map(([outermost = '']) => outermost))].map((title) => ({ name, title })),
      )
      .filter(({ title }) => !names.some((operation) => new RegExp(`^${operation}\\b`).test(title)));
    expect(lost).toEqual([]);
  });
});
