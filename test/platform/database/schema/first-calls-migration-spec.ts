import { beforeAll, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { caseFold } from '../../../../src/common/text.js';
import { describeMigration } from './migration.js';

describeMigration('FirstCallsAndEmailKeys1795305700000', (database) => {
  const role = newId();
  let tenant: string;
  beforeAll(async () => {
    tenant = await database.insertTenant();
    await database.query(
      `INSERT INTO roles (tenant_id, id, name, name_key, permissions) VALUES ($1, $2, 'R', 'r', '{}')`,
      [tenant, role],
    );
  });

  /** Stores the address as release 0.1.0 did. */
  const saveUser = async (email: string) => {
    const id = newId();
    await database.query(
      `INSERT INTO users (id, issuer, subject, email, email_key, email_verified, name_key)
       VALUES ($1, 'https://issuer.example', $4, $2, $3, true, 'n')`,
      [id, email, caseFold(email), id],
    );
    return id;
  };
  const expectMember = (email: string) =>
    database.query(
      'INSERT INTO expected_members (tenant_id, email_key, email, role_id) VALUES ($1, $2, $3, $4)',
      [tenant, caseFold(email), email, role],
    );
  const invite = (email: string, invitedBy: string) => {
    const id = newId();
    return database.query(
      `INSERT INTO invitations (tenant_id, id, email, email_key, role_id, pending_role_id, status, secret_hash,
                                invited_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $5, 'Pending', $7, $6, now() + interval '1 day')`,
      [tenant, id, email, caseFold(email), role, invitedBy, Buffer.from(id)],
    );
  };
  const keys = (table: string, condition = 'true') =>
    database.query(
      `SELECT email, email_key AS key FROM ${table} WHERE ${condition} ORDER BY email COLLATE "C"`,
    );

  it('sets the time of the first call from the audit log, sets new keys, and can be reverted', async () => {
    const ascii = await saveUser('Ada@Office.EXAMPLE');
    const other = await saveUser('admin@großbank.de');
    for (const id of [ascii, other]) {
      await database.query('INSERT INTO members (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
        tenant,
        id,
        role,
      ]);
    }
    for (const day of ['02', '01', '03']) {
      await database.query(
        `INSERT INTO audit_entries (tenant_id, id, occurred_at, actor_id, action, subject_type, subject_id)
         VALUES ($1, $2, $3, $4, 'TagCreated', 'Tag', $2)`,
        [tenant, newId(), `2026-01-${day}T00:00:00Z`, ascii],
      );
    }
    for (const email of ['admin@großbank.de', 'Bob@Office.example', 'Straße@office.example']) {
      await expectMember(email);
      await invite(email, ascii);
    }
    // Each pair is one address by the new rule. The second pair gets a key that the first pair had before.
    for (const email of ['a@xn--bro-hoa.example', 'a@büro.example', 'ſ@x.example', 's@ｘ.example']) {
      await expectMember(email);
      await invite(email, ascii);
    }

    await database.migrate();

    const members = await database.query(
      'SELECT first_called_at AS at FROM members ORDER BY first_called_at',
    );
    expect(members).toEqual([{ at: '2026-01-01T00:00:00.000Z' }, { at: null }]);
    expect(await keys('users')).toEqual([
      { email: 'Ada@Office.EXAMPLE', key: 'ada@office.example' },
      { email: 'admin@großbank.de', key: 'admin@xn--grobank-2va.de' },
    ]);
    const open = [
      { email: 'Bob@Office.example', key: 'bob@office.example' },
      { email: 'Straße@office.example', key: 'straße@office.example' },
      { email: 'a@xn--bro-hoa.example', key: 'a@xn--bro-hoa.example' },
      { email: 'admin@großbank.de', key: 'admin@xn--grobank-2va.de' },
      { email: 's@ｘ.example', key: 's@x.example' },
      { email: 'ſ@x.example', key: 'ſ@x.example' },
    ];
    expect(await keys('expected_members')).toEqual(open);
    expect(await keys('invitations', `status = 'Pending'`)).toEqual(open);
    expect(await keys('invitations', `status = 'Expired' AND pending_role_id IS NULL`)).toMatchObject([
      { email: 'a@büro.example' },
    ]);

    await database.undo();
    expect(await keys('users')).toEqual([
      { email: 'Ada@Office.EXAMPLE', key: 'ada@office.example' },
      { email: 'admin@großbank.de', key: 'admin@grossbank.de' },
    ]);
    await database.migrate();
    expect(await keys('expected_members')).toEqual(open);
  });
});
