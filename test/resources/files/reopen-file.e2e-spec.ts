import { describe, expect, it } from '@jest/globals';
import { fileStatusCases } from './file-status-cases.js';

describe('ReopenFile', () => {
  const { fixture, send: reopen } = fileStatusCases({
    operation: 'reopen',
    role: 'records_manager',
    refused: ['guest', 'editor'],
    body: ['[', 'application/json'],
    conflict: 'file.already-open',
  });

  it('returns 200 each time the file is closed and reopened', async () => {
    const { tenant, caller, file } = fixture;
    await reopen();
    const { closedAt } = (await caller.post(`/files/${file.id}/close`)).body as typeof file;
    expect(closedAt && file.closedAt && closedAt > file.closedAt).toBe(true);
    expect((await reopen()).body).toMatchObject({ status: 'Open', closedAt: null });
    expect((await tenant.audit()).map(({ action }) => action)).toEqual([
      'FileReopened',
      'FileClosed',
      'FileReopened',
    ]);
  });
});
