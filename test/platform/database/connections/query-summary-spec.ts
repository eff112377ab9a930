import { describe, expect, it } from '@jest/globals';
import { summaryOf } from '../../../../src/platform/database/connections/query-summary.js';

const summary = (...texts: string[]) => summaryOf(texts).summary;

describe('summaryOf', () => {
  it.each([
    ['SELECT f.id FROM files f WHERE f.tenant_id = $1', 'SELECT files'],
    ['SELECT "f"."id" FROM "files" "f" WHERE "f"."tenant_id" = $1', 'SELECT files'],
    ['SELECT 1', 'SELECT'],
    ['BEGIN', 'BEGIN'],
    ['SET LOCAL lock_timeout = 0', 'SET'],
    ['SELECT a FROM t JOIN ONLY u ON u.id = t.id LEFT JOIN t AS again ON true', 'SELECT t u'],
    ['INSERT INTO tags AS t (id, name) VALUES ($1, $2) RETURNING t.id', 'INSERT tags'],
    ['INSERT INTO a (id) SELECT id FROM b ON CONFLICT (id) DO UPDATE SET id = excluded.id', 'INSERT a b'],
    ['UPDATE files t SET name = $3 WHERE t.id = $2 RETURNING t.id', 'UPDATE files'],
    ['SELECT id FROM files WHERE id = $1 FOR NO KEY UPDATE', 'SELECT files'],
    ['SELECT id FROM files f JOIN tags t ON true FOR UPDATE OF f', 'SELECT files tags'],
    ['DELETE FROM files WHERE id = $1', 'DELETE files'],
    [
      "SELECT set_config('app.tenant_id', $1, true), (SELECT v FROM tenants WHERE id = $1) AS v",
      'SELECT tenants',
    ],
    [
      'WITH gone AS (DELETE FROM a RETURNING id) UPDATE b SET x = 1 FROM gone WHERE b.id = gone.id',
      'UPDATE a b',
    ],
    ['WITH w (id) AS NOT MATERIALIZED (SELECT 1) SELECT id FROM w', 'SELECT'],
    ['SELECT x FROM unnest($1::uuid[]) AS u (x) JOIN queue.jobs j ON j.id = u.x', 'SELECT queue.jobs'],
    ['SELECT extract(epoch FROM now()), a IS DISTINCT FROM b.c FROM d', 'SELECT d'],
  ])('summarizes %s as %s', (text, expected) => {
    expect(summary(text)).toBe(expected);
  });

  it('contains no text from string literals', () => {
    expect(summary(`SELECT 1 FROM files WHERE name = ' FROM secrets JOIN o''clock (' AND true`)).toBe(
      'SELECT files',
    );
  });

  it('lists the summaries of a batch, with the verb when all statements have the same', () => {
    expect(summaryOf(['SELECT 1 FROM a', 'SELECT 2 FROM b'])).toEqual({
      operation: 'BATCH SELECT',
      summary: 'SELECT a; SELECT b',
    });
    expect(summaryOf(['UPDATE a SET b = 1', 'COMMIT'])).toEqual({
      operation: 'BATCH',
      summary: 'UPDATE a; COMMIT',
    });
  });

  it('has at most 255 characters', () => {
    expect(summary(`SELECT 1 FROM ${'x'.repeat(400)}`)).toHaveLength(255);
    expect(summary(...Array.from({ length: 100 }, () => 'SELECT 1 FROM files'))).toHaveLength(255);
  });
});
