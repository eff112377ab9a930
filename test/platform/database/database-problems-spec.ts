import { describe, expect, it } from '@jest/globals';
import { databaseProblem } from '../../../src/platform/database/database-problems.js';

const fault = (code: string) => Object.assign(new Error('failed'), { code });

describe('Faults of the database', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])(
    '503: %s, which says that it cannot be reached now',
    (code) => {
      expect(databaseProblem(fault(code))).toMatchObject({
        code: 'service.unavailable',
        options: { headers: { 'Retry-After': '2' } },
      });
    },
  );

  it('are nothing that a client can do anything about when nobody has foreseen them', () => {
    expect(databaseProblem(fault('42P01'))).toBeNull();
    expect(databaseProblem(Object.assign(fault('23505'), { constraint: 'uq_of_nobody' }))).toBeNull();
  });
});
