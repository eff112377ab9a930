import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusesOf } from '../../src/platform/documentation/statuses.js';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { TestService } from '../support/service/service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Statuses that are no operation's own: they have their cases once, for all of them (test/platform). */
const ONCE_FOR_ALL = [404, 405, 406, 429, 431, 500, 503];

/** Sends unreadable bodies to every operation with a JSON body, as its last case proves. */
const BODIES = 'test/security/bad-input/bad-input-bodies-spec.ts';
/** What a JSON body leads to whatever the operation: of these, BODIES has the cases of all operations. */
const ONCE_FOR_ALL_BODIES = [413, 415];

/** The titles that lead to a case, from the outermost describe on. */
type Case = readonly string[];

/** The status that a case is about, at the beginning of its title ("returns 409 when …") or of its describe's. */
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
          name === BODIES ||
          /^test\/(resources|platform\/(documentation|health|http))\/.*-spec\.ts$/.test(name),
      );
    const [listed, started] = await Promise.all([
      promisify(execFile)(process.execPath, ['--no-warnings', 'test/architecture/list-cases.mjs', ...specs], {
        cwd: ROOT,
        maxBuffer: 64 * 1024 * 1024,
      }),
      TestService.shared(),
    ]);
    files = JSON.parse(listed.stdout) as Record<string, Case[]>;
    service = started;
    // Reading all specs takes long where other things are going on.
  }, 600_000);

  /** Cases whose outermost describe names the operation, alone or with what part of it they are about. */
  function casesOf(operation: string): Case[] {
    return Object.values(files)
      .flat()
      .filter(([outermost = '']) => new RegExp(`^${operation}\\b`).test(outermost));
  }

  const endpoints = () =>
    service.app
      .get(RouteTable)
      .routes.flatMap(({ endpoint, method }) => (endpoint ? [{ endpoint, method }] : []));

  it('have a file for every operation, named after it', () => {
    const names = new Set(Object.keys(files).map((name) => path.basename(name)));
    const missing = endpoints().filter(
      ({ endpoint }) => !names.has(`${kebab(endpoint.operation)}.e2e-spec.ts`),
    );
    expect(missing.map(({ endpoint }) => endpoint.operation)).toEqual([]);
  });

  it('have a case for every status that an operation declares', () => {
    const missing = endpoints().flatMap(({ endpoint, method }) => {
      const { success, problems } = statusesOf(endpoint, method);
      const told = new Set(casesOf(endpoint.operation).map(statusOf));
      // What takes content, too, refuses it with these statuses for reasons of its own.
      const isCovered = (status: number) =>
        endpoint.body && !endpoint.upload && ONCE_FOR_ALL_BODIES.includes(status);
      const needed = [
        ...success.filter((status) => status !== endpoint.success),
        ...problems.filter((status) => !isCovered(status)),
      ];
      const untold = needed.filter((status) => !told.has(status));
      // A case without a number is about what the operation is for.
      if (!told.has(endpoint.success) && !told.has(null)) untold.unshift(endpoint.success);
      return untold.length > 0 ? [`${endpoint.operation}: ${untold.join(', ')}`] : [];
    });
    expect(missing).toEqual([]);
  });

  it('have a case for what is the same for all operations', () => {
    const told = new Set(
      Object.entries(files)
        .filter(([name]) => name.startsWith('test/platform/'))
        .flatMap(([, cases]) => cases.map(statusOf)),
    );
    expect(ONCE_FOR_ALL.filter((status) => !told.has(status))).toEqual([]);
  });

  it('have a case for what an unreadable body leads to, for all operations with a JSON body', () => {
    const told = (files[BODIES] ?? []).map(statusOf);
    expect(told).toEqual(expect.arrayContaining([400, ...ONCE_FOR_ALL_BODIES]));
  });

  it('of an operation are about one that is there', () => {
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
