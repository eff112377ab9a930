import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { saveDisposal } from '../../factories/disposals.js';
import { savePreview } from '../../factories/document-previews.js';
import { putContent, saveDocument } from '../../factories/documents.js';
import { saveExport } from '../../factories/exports.js';
import { saveFile } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { S3Server } from '../../support/servers/s3-server.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';
import { TestTenant } from '../../support/tenant.js';

describe('npm run tenant', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
    ServiceProcess.run({ ...service.environment, ...environment }, 'tools/cli/tenant', ...args);
  const printed = (output: string) => ({ code: 0, output, errors: '' });
  const failed = (errors: string) => ({ code: 1, output: '', errors });
  const misused = (sentence: string) => ({ code: 2, output: '', errors: `${sentence} See --help.\n` });
  const filesIn = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  /** A document with two contents in the store: its own and that of an export; on hold, in a disposal, with a preview. */
  async function saveRecords(ofTenant: TestTenant, actor: Actor): Promise<void> {
    const { id, fileTypeId } = await saveFile(ofTenant, actor);
    const document = await saveDocument(ofTenant, actor, { fileIds: [id] });
    await putContent(actor, document.id, Buffer.from('Wort'));
    await savePreview(ofTenant, document.id);
    await saveExport(ofTenant, actor, { bytes: 'Package', fileIds: [id], documentIds: [document.id] });
    await saveHold(ofTenant, actor, { documentIds: [document.id] });
    await saveDisposal(ofTenant, actor, { fileTypeId, fileIds: [id] });
  }
  async function created(slug: string): Promise<TestTenant> {
    const [row] = await service.query<{ id: string }>(
      'SELECT tenant_id AS id FROM tenant_slugs WHERE slug = $1',
      [slug],
    );
    return new TestTenant(service, row?.id ?? '', slug);
  }
  const newSlug = () => `acme-${randomBytes(4).toString('hex')}`;

  it('create creates a tenant, and fails when the slug is taken', async () => {
    const slug = newSlug();
    const args = ['create', '--slug', slug, '--name', 'Acme AG', '--admin', 'alice@example.com'];
    const expected = 'Expected administrators: alice@example\\.com\\.';
    const { output, ...others } = await run(args);
    expect(others).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(new RegExp(`^Created the tenant ${slug} \\([0-9a-f-]{36}\\)\\. ${expected}\\n$`));
    expect(await run(args)).toEqual(failed(`The slug ${slug} is already taken.\n`));
  });

  it('add-admin replaces a mistyped administrator of a new tenant', async () => {
    const slug = newSlug();
    const person = await tenant.nonMember();
    const wrong = `x${person.email}`;
    await run(['create', '--slug', slug, '--name', 'Acme AG', '--admin', wrong]);
    const there = person.inTenant(await created(slug));
    expectProblem(await there.get('/me'), 'resource.not-found');
    const args = ['add-admin', slug, '--admin', person.email, '--instead-of', wrong];
    expect(await run(args)).toEqual(
      printed(
        `${person.email} becomes administrator of ${slug} with the first request. ${wrong} is no longer expected.\n`,
      ),
    );
    expect((await run(['list'])).output).toMatch(
      new RegExp(`${slug} .* 0 members, created [\\d-]+, expects ${person.email}\\n`),
    );
    expect((await there.get('/me').expect(200)).body).toMatchObject({ role: { key: 'administrator' } });
    expect((await there.get('/audit-log?action=TenantAdministratorAdded').expect(200)).body).toMatchObject({
      items: [{ summary: `${wrong} → ${person.email}` }],
    });
    expect(await run(args)).toEqual(failed(`No administrator with the address ${wrong} is expected.\n`));
    expect(await run(args.slice(0, 4))).toEqual(
      printed(`${person.email} already is, or becomes, administrator of ${slug}.\n`),
    );
  });

  it('add-admin makes a member with the verified address administrator', async () => {
    const viewer = await tenant.as('viewer');
    expect(await run(['add-admin', tenant.slug, '--admin', viewer.email])).toEqual(
      printed(`${viewer.email} is now administrator of ${tenant.slug}.\n`),
    );
    expect((await viewer.get('/me').expect(200)).body).toMatchObject({ role: { key: 'administrator' } });
    expect(await tenant.audit()).toMatchObject([{ action: 'MemberRoleChanged', subject_id: viewer.userId }]);
  });

  it('add-admin adds nobody because of an address that is not verified', async () => {
    const viewer = await tenant.as('viewer');
    await service.query('UPDATE users SET email_verified = false WHERE id = $1', [viewer.userId]);
    expect((await run(['add-admin', tenant.slug, '--admin', viewer.email])).output).toContain(
      'with the first request',
    );
    expect((await viewer.get('/me')).body).toMatchObject({ role: { key: 'viewer' } });
  });

  it('rename changes the name that members see', async () => {
    await admin.get('/me').expect(200);
    const args = ['rename', tenant.slug, '--name', ' Acme  GmbH '];
    expect(await run(args)).toEqual(printed(`Renamed ${tenant.slug} to Acme GmbH.\n`));
    await admin.get('/tags').expect(200);
    expect((await admin.get('/me')).body).toMatchObject({ tenant: { name: 'Acme GmbH' } });
    expect(await run(args)).toEqual(printed(`${tenant.slug} already has this name.\n`));
    expect(await tenant.audit()).toMatchObject([{ action: 'TenantRenamed' }]);
  });

  it('create --template registry adds file types with numbers, and document types', async () => {
    const slug = newSlug();
    const args = ['create', '--slug', slug, '--name', 'Acme AG', '--admin', admin.email];
    expect(await run([...args, '--template', 'registry'])).toMatchObject({ code: 0, errors: '' });
    const there = admin.inTenant(await created(slug));
    const items = async (path: string) =>
      ((await there.get(path).expect(200)).body as { items: { id: string; key: string }[] }).items;
    const types = await items('/file-types');
    expect(types.map(({ key }) => key).sort()).toEqual(['case', 'contract', 'personnel', 'subject']);
    for (const type of types)
      expect(
        (await there.post(`/file-types/${type.id}/files`, { name: 'One' }).expect(201)).body,
      ).toMatchObject({ number: expect.stringMatching(/^[A-Z]{2}-(\d{4}-)?0*1$/) as unknown });
    const documentTypes = await items('/document-types');
    expect(documentTypes).toHaveLength(5);
    // What the API returns is valid for the API.
    for (const type of documentTypes) await there.put(`/document-types/${type.id}`, type).expect(200);
  });

  it('suspend, resume and delete end a tenant with everything that it has', async () => {
    const { slug } = tenant;
    await saveRecords(tenant, admin);
    const other = await service.tenant();
    const objects = path.join(service.dataDirectory, 'content', 'objects', tenant.id);
    const confirmed = ['delete', slug, '--confirm', slug];

    expect(await run(confirmed)).toEqual(
      failed('Only a suspended tenant can be deleted. Suspend it first.\n'),
    );
    expect(await run(['suspend', slug])).toEqual(printed(`Suspended ${slug}.\n`));
    expect(await run(['suspend', slug])).toEqual(printed(`${slug} is already suspended.\n`));
    expect((await run(['list'])).output).toMatch(new RegExp(`${slug} .*, suspended\\n`));
    expect(await run(['resume', slug])).toEqual(printed(`Resumed ${slug}.\n`));
    await admin.get('/tags').expect(200);
    await run(['suspend', slug]);
    const before = await Promise.all([tenant.fingerprint(), other.fingerprint()]);
    for (const confirm of [[], ['--confirm', `${slug}x`]])
      expect(await run(['delete', slug, ...confirm])).toEqual(
        misused(`Repeat the slug to delete the tenant: --confirm ${slug}.`),
      );
    expect(await Promise.all([tenant.fingerprint(), other.fingerprint()])).toEqual(before);
    expect(await filesIn(objects)).toHaveLength(2);

    const deleted = await run(confirmed);
    expect(deleted).toMatchObject({ code: 0, errors: `Deleted ${slug}.\n` });
    expect(JSON.parse(deleted.output)).toMatchObject({
      tenantId: tenant.id,
      slugs: [slug],
      contents: { count: 2, size: 11 },
      auditLog: { entries: expect.any(Number) as unknown },
      rows: {
        ...{ documents: 1, document_files: 1, files: 1, members: 1, contents: 2, document_previews: 1 },
        ...{ exports: 1, export_items: 2, holds: 1, hold_documents: 1, disposals: 1, disposal_files: 1 },
      },
    });
    expect(await tenant.fingerprint()).toEqual(await new TestTenant(service, newId(), '').fingerprint());
    expect(await other.fingerprint()).toEqual(before[1]);
    expect(existsSync(objects)).toBe(false);
    expectProblem(await admin.get('/tags'), 'tenant.no-access');
    expect(await run(confirmed)).toEqual(misused(`The tenant ${slug} does not exist.`));
    const again = ['create', '--slug', slug, '--name', 'Another', '--admin', admin.email];
    expect(await run(again)).toMatchObject({ code: 0 });
  });

  it('delete removes the contents from a bucket', async () => {
    const server = await S3Server.start();
    const inBucket = await TestService.start(server.environment, service);
    try {
      const there = await inBucket.tenant();
      await saveRecords(there, await there.as('administrator'));
      expect(server.bucket.keys()).toHaveLength(2);
      await run(['suspend', there.slug]);
      expect(await run(['delete', there.slug, '--confirm', there.slug], server.environment)).toMatchObject({
        code: 0,
      });
      expect(server.bucket.keys()).toEqual([]);
    } finally {
      await inBucket.stop();
      await server.stop();
    }
  });

  it.each<[string[], string]>([
    ...['ab', 'Acme', 'admin'].map((slug): [string[], string] => [
      ['create', '--slug', slug, '--name', 'A', '--admin', 'a@b.example'],
      `The slug ${slug} is invalid or reserved.`,
    ]),
    [['suspend', 'no-such-tenant'], 'The tenant no-such-tenant does not exist.'],
    [
      ['delete', 'no-such-tenant', '--confirm', 'no-such-tenant'],
      'The tenant no-such-tenant does not exist.',
    ],
    [['add-admin', 'acme'], '--admin is required.'],
    [['add-admin', 'acme', '--admin', 'alice'], 'alice is not an e-mail address.'],
    [['rename', 'acme'], '--name is required.'],
    [['rename', 'acme', '--name', ' '], '--name must not be empty.'],
    [
      ['create', '--slug', 'acme', '--name', 'A', '--admin', 'a@b.example', '--template', 'x'],
      'There is no template x. The only one is registry.',
    ],
    [
      ['remove', 'acme'],
      'Expected a subcommand: create, list, limits, add-admin, rename, suspend, resume or delete.',
    ],
  ])('rejects the arguments %j', async (args, sentence) => {
    expect(await run(args)).toEqual(misused(sentence));
  });

  it('says in one sentence that the database cannot be reached', async () => {
    const DATABASE_URL = 'postgres://filing:secret@127.0.0.1:1/filing';
    const { code, output, errors } = await run(['suspend', tenant.slug], { DATABASE_URL });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^The database cannot be reached: .*\n$/);
  });
});
