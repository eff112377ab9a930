import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { waitUntil } from '../../support/wait-until.js';
import { type RawAnswer, sendRaw } from '../../support/raw-http.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('A right that is lost while the request body is being received', () => {
  let tenant: TestTenant;
  let file: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    file = await saveFile(tenant, await tenant.as('administrator'));
  });

  /** Renames the file with a body in two halves. The second half is sent after the service has begun to read the first. */
  function rename(actor: Actor, between: () => Promise<unknown>): Promise<RawAnswer> {
    const body = '{"name":"Renamed"}';
    const head = [
      `PUT /api/v1/t/${tenant.slug}/files/${file.id} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${actor.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ].join('\r\n');
    const half = body.length / 2;
    let isRead = false;
    service.app.getHttpServer().prependOnceListener('request', (request) => {
      request.on('newListener', (event) => (isRead ||= event === 'readable'));
    });
    // The guards have accepted the request by then.
    const reading = () => waitUntil(() => isRead, 'The service to read the body');
    return sendRaw(service.url, [
      `${head}\r\n\r\n${body.slice(0, half)}`,
      reading,
      between,
      body.slice(half),
    ]);
  }

  const type = ({ body }: RawAnswer) => (JSON.parse(body) as { type?: string }).type;

  it('has no effect in the control case, where the right stays', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expect((await rename(guest, () => Promise.resolve())).status).toBe(200);
  });

  it('leads to 403 when it was a Write grant and a Read grant remains', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Read' });
    const grant = await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    const before = await tenant.fingerprint();
    const answer = await rename(guest, () =>
      service.query(
        `UPDATE access_grants SET expires_at = now() - interval '1 second' WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, grant],
      ),
    );
    expect({ status: answer.status, type: type(answer) }).toEqual({
      status: 403,
      type: '/problems/permission.missing',
    });
    const { access_grants: _, ...after } = await tenant.fingerprint();
    expect(before).toMatchObject(after);
  });

  it('leads to 403 when it was a permission of the role', async () => {
    const editor = await tenant.as('editor');
    const viewer = await tenant.roleId('viewer');
    const answer = await rename(editor, async () => {
      await service.query('UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2', [
        tenant.id,
        editor.userId,
        viewer,
      ]);
      await tenant.increaseAccessVersion();
    });
    expect({ status: answer.status, type: type(answer) }).toEqual({
      status: 403,
      type: '/problems/permission.missing',
    });
  });
});
