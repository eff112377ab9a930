import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

describeMigration('CreationOfTargets1795960000000', (database) => {
  it('gives grants on files of all tenants the time of creation of the file', async () => {
    const user = await database.insertUser();
    const expected = new Map<string, string | null>();
    for (const createdAt of ['2026-03-01T12:00:00.123Z', '2026-03-02T12:00:00.456Z']) {
      const tenant = await database.insertTenant();
      const grantedAt = '2026-04-01T12:00:00.000Z';
      const insertGrant = async (targetType: string, targetId: string, time: string | null) => {
        const id = newId();
        await database.query(
          `INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, level, created_by,
                                      created_at)
           VALUES ($1, $2, 'User', $3, $4, $5, 'Read', $3, $6)`,
          [tenant, id, user, targetType, targetId, grantedAt],
        );
        expected.set(id, time);
      };
      const file = await database.insertFile(tenant, user, { number: '1', text: '1', starts: [] });
      await database.query('UPDATE files SET created_at = $2 WHERE tenant_id = $1', [tenant, createdAt]);
      await insertGrant('File', file, createdAt);
      await insertGrant('FileType', newId(), null);
      // The file is deleted.
      await insertGrant('File', newId(), grantedAt);
    }
    const read = () =>
      database.query<{ id: string; time: string | null }>(
        'SELECT id, target_created_at AS time FROM access_grants',
      );

    await database.migrate();
    expect(new Map((await read()).map(({ id, time }) => [id, time]))).toEqual(expected);

    await database.undo();
    await database.migrate();
    expect(new Map((await read()).map(({ id, time }) => [id, time]))).toEqual(expected);
    const violation = expect.objectContaining({ constraint: 'ck_access_grants_target_created_at' });
    for (const time of ['NULL', 'now()'])
      await expect(database.query(`UPDATE access_grants SET target_created_at = ${time}`)).rejects.toEqual(
        violation,
      );
  });
});
