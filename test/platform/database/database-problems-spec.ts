import { describe, expect, it } from '@jest/globals';
import {
  databaseProblem,
  isRetryable,
  restoreNames,
} from '../../../src/platform/database/database-problems.js';

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

  it.each([
    {
      code: 'XX000',
      message: 'could not find valid entry for shard 102040',
      routine: 'LookupShardIdCacheEntry',
    },
    { code: '42P01', message: 'relation "public.files_102040" does not exist', routine: 'parserOpenTable' },
  ])('returns 503 for a removed shard: $message', ({ message, ...fields }) => {
    const error = Object.assign(new Error(message), fields);
    expect(databaseProblem(error)).toMatchObject({ code: 'service.unavailable' });
    expect(isRetryable(error)).toBe(true);
  });

  it('returns 503 for an error of the file system of the server', () => {
    expect(databaseProblem(databaseError('58030'))).toMatchObject({ code: 'service.unavailable' });
  });

  it('returns null for other errors and for unknown constraints', () => {
    const policy = Object.assign(databaseError('42501'), { routine: 'ExecWithCheckOptions' });
    expect(databaseProblem(policy)).toBeNull();
    const missing = Object.assign(new Error('relation "files_2026" does not exist'), { code: '42P01' });
    expect(databaseProblem(missing)).toBeNull();
    expect(databaseProblem(Object.assign(databaseError('23505'), { constraint: 'uq_unknown' }))).toBeNull();
  });
});

describe('restoreNames', () => {
  const restored = (code: string, message: string, fields: object = {}) => {
    const error = Object.assign(new Error(message), { code, ...fields });
    restoreNames(error);
    return { ...error };
  };

  it('takes the names of constraint and table from the message of a shard', () => {
    expect(
      restored(
        '23514',
        'new row for relation "files_102078" violates check constraint "ck_files_size_102078"',
      ),
    ).toEqual({ code: '23514', constraint: 'ck_files_size', table: 'files' });
    const duplicate = 'duplicate key value violates unique constraint "uq_tags_tenant_name_102234"';
    expect(restored('23505', duplicate)).toEqual({ code: '23505', constraint: 'uq_tags_tenant_name' });
  });

  it('changes no other error', () => {
    const names = { constraint: 'ck_2026', table: 'files' };
    expect(restored('23514', 'violates check constraint "ck_2026"', names)).toEqual({
      code: '23514',
      ...names,
    });
    expect(restored('57014', 'violates constraint "ck_2026"')).toEqual({ code: '57014' });
  });
});
