import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { ADD_TO_LIST, saveDocument } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveExpectedMember, setMemberRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('RemoveMember', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let member: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    member = await tenant.as('editor', 'Bert');
  });

  const listsOf = ({ userId }: Actor) =>
    tenant.query<{ document_id: string }>(
      'SELECT document_id FROM document_confidential_users WHERE tenant_id = $1 AND user_id = $2',
      userId,
    );
  const addAgain = async (roleKey: 'editor' | 'guest') => {
    const roleId = await tenant.roleId(roleKey);
    const body = { issuer: service.issuer.url, subject: member.subject, roleId };
    expect((await admin.post('/members', body)).status).toBe(201);
  };

  it('returns 204, ends access immediately and writes an audit entry; 404 when repeated', async () => {
    expect((await member.get('/files')).status).toBe(200);
    const response = await admin
      .delete(`/members/${member.userId.toUpperCase()}`)
      // Members have no entity tag, so If-Match is ignored.
      .set('If-Match', '"other"');
    expect([response.status, response.text]).toEqual([204, '']);
    expectProblem(await member.get('/files'), 'tenant.no-access');
    expectProblem(await member.get('/me'), 'resource.not-found');
    expectProblem(await admin.delete(`/members/${member.userId}`), 'resource.not-found');
    const { items } = (await admin.get('/members')).body as { items: { userId: string }[] };
    expect(items.map(({ userId }) => userId)).toEqual([admin.userId]);
    expect(await tenant.audit()).toEqual([
      admin.entry('MemberRemoved', 'Member', member.userId, 'Bert: Editor'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 204 and keeps the membership in another tenant', async () => {
    const other = await service.tenant();
    await other.addMember(member, 'editor');
    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);
    expect((await member.inTenant(other).get('/files')).status).toBe(200);
  });

  it("returns 204 and permanently revokes the user's active grants", async () => {
    const type = await saveFileType(tenant, { nameDe: 'Akte', nameEn: 'Record' });
    const file = await saveFile(tenant, admin, { number: 'A-1', name: 'Bau', fileTypeId: type.id });
    const colleague = await tenant.as('guest');
    const own = [
      await saveAccessGrant(tenant, member, { file: file.id }, { level: 'Write' }),
      await saveAccessGrant(
        tenant,
        member,
        { fileType: type.id },
        { expiresAt: `now() + interval '1 hour'` },
      ),
    ];
    const others = [
      await saveAccessGrant(tenant, member, { file: file.id }, { toRole: true }),
      await saveAccessGrant(tenant, member, { file: file.id }, { expiresAt: `now() - interval '1 second'` }),
      await saveAccessGrant(tenant, member, { file: file.id }, { revoked: true }),
      await saveAccessGrant(tenant, colleague, { file: file.id }),
    ];
    const readGrants = (ids: string[]) =>
      service.query<{ id: string; revoked_at: Date | null }>(
        'SELECT id, revoked_at FROM access_grants WHERE id = ANY ($1) ORDER BY id',
        [ids],
      );
    const before = await readGrants(others);

    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);

    expect((await readGrants(own)).map(({ revoked_at }) => revoked_at)).not.toContain(null);
    expect(await readGrants(others)).toEqual(before);
    const audit = await tenant.audit();
    expect(audit[0]).toMatchObject({ action: 'MemberRemoved' });
    expect(
      audit
        .slice(1)
        .map(({ action, subject_type, subject_id, summary }) => [action, subject_type, subject_id, summary])
        .sort(),
    ).toEqual(
      [
        ['AccessRevoked', 'AccessGrant', own[0], 'Write: Bert → A-1: Bau'],
        ['AccessRevoked', 'AccessGrant', own[1], 'Read: Bert → Akte / Record'],
      ].sort(),
    );
    expect(await tenant.notifications()).toEqual([]);

    await addAgain('guest');
    expectProblem(await member.get(`/files/${file.id}`), 'permission.missing');
  });

  it('returns 204 and removes the user from access lists, also after being added again', async () => {
    const shared = await saveDocument(tenant, admin, { title: 'Plan', confidentialTo: [admin, member] });
    const alone = await saveDocument(tenant, member, { title: 'Secret', confidentialTo: [member] });
    await saveDocument(tenant, admin, { title: 'Open' });
    expect((await member.get(`/documents/${alone.id}`)).status).toBe(200);

    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);

    expect(await listsOf(member)).toEqual([]);
    expect(await listsOf(admin)).toEqual([{ document_id: shared.id }]);
    const audit = await tenant.audit();
    expect(audit[0]).toMatchObject({ action: 'MemberRemoved' });
    expect(
      audit
        .slice(1)
        .map(({ action, subject_type, subject_id, summary }) => [action, subject_type, subject_id, summary])
        .sort(),
    ).toEqual(
      [
        ['ConfidentialUserRemoved', 'Document', shared.id, 'Plan: Bert'],
        ['ConfidentialUserRemoved', 'Document', alone.id, 'Secret: Bert'],
      ].sort(),
    );
    expect(await tenant.notifications()).toEqual([]);

    // The document stays confidential with an empty list, so no user can see it, not even its creator.
    const [document] = await service.query('SELECT is_confidential FROM documents WHERE id = $1', [alone.id]);
    expect(document).toEqual({ is_confidential: true });
    expectProblem(await admin.get(`/documents/${alone.id}`), 'resource.not-found');
    await addAgain('editor');
    for (const { id } of [shared, alone]) {
      expectProblem(await member.get(`/documents/${id}`), 'resource.not-found');
    }
  });

  it('returns 204 and removes the user from a list to which another request adds the user', async () => {
    const document = await saveDocument(tenant, admin, { confidentialTo: [admin] });
    const response = await duringTransaction(
      service,
      ADD_TO_LIST,
      [tenant.id, document.id, member.userId],
      () => admin.delete(`/members/${member.userId}`),
    );
    expect(response.status).toBe(204);
    expect(await listsOf(member)).toEqual([]);
    expect((await tenant.audit()).map(({ action }) => action)).toEqual([
      'MemberRemoved',
      'ConfidentialUserRemoved',
    ]);
  });

  it('returns 204 and deletes the saved views of the user only, which do not come back', async () => {
    const views = [await saveView(tenant, member), await saveView(tenant, member)];
    const { id: kept } = await saveView(tenant, admin);
    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);
    const recorded = (await tenant.audit()).filter(({ action }) => action === 'SavedViewDeleted');
    expect(recorded.map(({ subject_id: id, summary: name }) => ({ id, name }))).toEqual(
      expect.arrayContaining(views.map(({ id, name }) => ({ id, name }))),
    );
    expect(recorded).toHaveLength(2);
    await addAgain('editor');
    expect((await member.get('/saved-views')).body).toEqual([]);
    expect((await admin.get(`/saved-views/${kept}`)).status).toBe(200);
  });

  it('returns 204 and deletes a saved view that another request is creating', async () => {
    const { id } = await saveView(tenant, member);
    const response = await duringTransaction(
      service,
      `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
       SELECT tenant_id, gen_random_uuid(), owner_id, 'late', 'late', filter FROM saved_views WHERE id = $1`,
      [id],
      () => admin.delete(`/members/${member.userId}`),
    );
    expect(response.status).toBe(204);
    expect(await tenant.query('SELECT FROM saved_views WHERE tenant_id = $1')).toEqual([]);
  });

  it('returns 204 and removes the expected member with the same address', async () => {
    await saveExpectedMember(tenant, member.email, await tenant.roleId('administrator'));
    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);
    expectProblem(await member.get('/files'), 'tenant.no-access');
  });

  it('returns 204 for the caller while another administrator remains', async () => {
    await tenant.as('administrator');
    expect((await admin.delete(`/members/${admin.userId}`)).status).toBe(204);
    expectProblem(await admin.get('/files'), 'tenant.no-access');
    expect((await tenant.audit())[0]).toMatchObject({ action: 'MemberRemoved', actor_id: admin.userId });
  });

  it('returns 403 for a member with permissions that the caller lacks (order of checks: 404, 403, 409)', async () => {
    const manager = await tenant.with('members.manage', 'files.read');
    const { id } = await saveRole(tenant, ['files.read', 'files.close']);
    await setMemberRole(tenant, member, id);
    const before = await tenant.fingerprint();
    for (const { userId } of [member, admin]) {
      expectProblem(await manager.delete(`/members/${userId}`), 'permission.escalation');
    }
    expect(await tenant.fingerprint()).toEqual(before);
    await setMemberRole(tenant, member, (await saveRole(tenant, ['files.read'])).id);
    expect((await manager.delete(`/members/${member.userId}`)).status).toBe(204);
    expectProblem(await manager.delete(`/members/${member.userId}`), 'resource.not-found');
  });

  it('returns 409 for the last member with both roles.manage and members.manage', async () => {
    await tenant.with('roles.manage');
    await tenant.with('members.manage');
    await saveExpectedMember(tenant, 'soon@people.example', await tenant.roleId('administrator'));
    await saveDocument(tenant, admin, { confidentialTo: [admin] });
    await expectRefused(tenant, () => admin.delete(`/members/${admin.userId}`), 'member.last-administrator');
    expect(await roleIdOf(tenant, admin)).not.toBeNull();
  });
});
