import { describe, expect, it } from '@jest/globals';
import { databaseProblem } from '../../../src/platform/database/database-problems.js';

const databaseError = (code: string) => Object.assign(new Error('failed'), { code });

describe('databaseProblem', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])(
    'returns 503 for %s, when the database cannot be reached',
    (code) => {
      expect(databaseProblem(databaseError(code))).toMatchObject({
        code: 'service.unavailable',
        options: { headers: { 'Retry-After': '2' } },
      });
    },
  );

  it('returns null for other errors and for unknown constraints', () => {
    expect(databaseProblem(databaseError('42P01'))).toBeNull();
    expect(databaseProblem(Object.assign(databaseError('23505'), { constraint: 'uq_unknown' }))).toBeNull();
  });
});
