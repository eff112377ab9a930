/**
 * The story (`npm run story`) with a generated client: openapi-fetch with the types of openapi-typescript. clients-spec.ts
 * compiles it under `strict` and runs it. All types come from the OpenAPI document.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [url = '', firstSlug = '', tokens = '{}'] = process.argv.slice(2);
const tokenOf = JSON.parse(tokens) as Record<'paula' | 'cem' | 'gina', string>;

type Api = Client<paths>;

function clientOf(user: keyof typeof tokenOf): Api {
  return createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${tokenOf[user]}` } });
}

/** Returns the data of a successful answer; throws for any other answer. */
async function dataOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`);
  return data as T;
}

async function expectProblem(
  status: number,
  call: Promise<{ error?: components['schemas']['ProblemDetails']; response: Response }>,
): Promise<void> {
  const { error, response } = await call;
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${response.url}`);
  if (!error?.type?.startsWith('/problems/')) throw new Error(`No problem: ${JSON.stringify(error)}`);
}

function chapter(title: string): void {
  console.log(`## ${title}`);
}

const [paula, cem, gina] = [clientOf('paula'), clientOf('cem'), clientOf('gina')];
let tenant = firstSlug;
const tenantPath = () => ({ tenant });

chapter('Paula is the administrator of a new tenant');
const me = await dataOf(paula.GET('/api/v1/t/{tenant}/me', { params: { path: tenantPath() } }));
if (!me.permissions.includes('roles.manage')) throw new Error('Paula is not an administrator');

chapter('Paula invites a colleague and a guest, who accept');
const roles = await dataOf(paula.GET('/api/v1/t/{tenant}/roles', { params: { path: tenantPath() } }));
const roleId = (key: string): string => {
  const role = roles.items.find((candidate) => candidate.key === key);
  if (!role) throw new Error(`Role ${key} not found`);
  return role.id;
};
async function invite(api: Api, email: string, key: string) {
  const body = { email, roleId: roleId(key) };
  const { secret } = await dataOf(
    paula.POST('/api/v1/t/{tenant}/invitations', { params: { path: tenantPath() }, body }),
  );
  if (secret === undefined) throw new Error('The first answer has no secret');
  return dataOf(
    api.POST('/api/v1/t/{tenant}/invitations/accept', { params: { path: tenantPath() }, body: { secret } }),
  );
}
await invite(cem, 'cem@story.example', 'editor');
const guest = await invite(gina, 'gina@story.example', 'guest');

chapter('Paula creates a document type');
const type = await dataOf(
  paula.POST('/api/v1/t/{tenant}/document-types', {
    params: { path: tenantPath() },
    body: {
      key: 'contract',
      nameDe: 'Vertrag',
      nameEn: 'Contract',
      fields: [
        { key: 'partner', type: 'Text', required: true, labelDe: 'Vertragspartner', labelEn: 'Partner' },
        {
          key: 'kind',
          type: 'Enumeration',
          required: false,
          labelDe: 'Art',
          labelEn: 'Kind',
          options: [
            { key: 'purchase', labelDe: 'Kauf', labelEn: 'Purchase' },
            { key: 'lease', labelDe: 'Miete', labelEn: 'Lease' },
          ],
        },
      ],
    },
  }),
);

chapter('Cem creates two files and files contracts into them');
const fileType = await dataOf(
  paula.POST('/api/v1/t/{tenant}/file-types', {
    params: { path: tenantPath() },
    body: { key: 'contracts', nameDe: 'Vertragsakte', nameEn: 'Contract file' },
  }),
);
const open = (number: string, name: string) =>
  dataOf(
    cem.POST('/api/v1/t/{tenant}/files', {
      params: { path: tenantPath(), header: { 'Idempotency-Key': `story-${number}` } },
      body: { fileTypeId: fileType.id, number, name },
    }),
  );
const land = await open('V-2026-1', 'Grundstück am See');
const cars = await open('V-2026-2', 'Dienstwagen');
await expectProblem(
  409,
  cem.POST('/api/v1/t/{tenant}/files', {
    params: { path: tenantPath() },
    body: { fileTypeId: fileType.id, number: 'v-2026-1', name: 'Noch einmal' },
  }),
);
const contract = (title: string, fileId: string, fields: Record<string, string>) => ({
  title,
  documentTypeId: type.id,
  fileIds: [fileId],
  tagIds: [],
  isConfidential: false,
  fields,
});
const text = 'Zwischen den Parteien wird vereinbart …\n';
const purchase = await dataOf(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: tenantPath() },
    body: { document: contract('Kaufvertrag', land.id, { partner: 'Seegut GmbH', kind: 'purchase' }) },
    // The body type is a union; the member `document` identifies the form.
    bodySerializer: (body) => {
      if (!('document' in body)) throw new Error('The body is not a form');
      const form = new FormData();
      form.append('document', new Blob([JSON.stringify(body.document)], { type: 'application/json' }));
      form.append('content', new Blob([text], { type: 'text/plain' }), 'Kaufvertrag.txt');
      return form;
    },
  }),
);
const content = await dataOf(
  cem.GET('/api/v1/t/{tenant}/documents/{documentId}/content', {
    params: { path: { ...tenantPath(), documentId: purchase.id } },
    parseAs: 'text',
  }),
);
if (content !== text) throw new Error(`The content differs: ${String(content)}`);
const lease = await dataOf(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: tenantPath() },
    body: contract('Leasingvertrag', cars.id, { partner: 'Auto AG', kind: 'lease' }),
  }),
);
await dataOf(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: tenantPath() },
    body: contract('Wartungsvertrag', cars.id, { partner: 'Auto AG', kind: 'lease' }),
  }),
);
const inCars = await dataOf(
  cem.GET('/api/v1/t/{tenant}/files/{fileId}/documents', {
    params: { path: { ...tenantPath(), fileId: cars.id } },
  }),
);
if (inCars.items.length !== 2) throw new Error('The file does not have two contracts');

chapter('Cem makes one document confidential; Paula gets a 404');
const leasePath = { path: { ...tenantPath(), documentId: lease.id } };
await dataOf(
  cem.PUT('/api/v1/t/{tenant}/documents/{documentId}/confidentiality', {
    params: leasePath,
    body: { isConfidential: true },
  }),
);
await expectProblem(404, paula.GET('/api/v1/t/{tenant}/documents/{documentId}', { params: leasePath }));

chapter('Gina sees no file until Paula grants access to one');
await expectProblem(403, gina.GET('/api/v1/t/{tenant}/files', { params: { path: tenantPath() } }));
const grant = await dataOf(
  paula.POST('/api/v1/t/{tenant}/access-grants', {
    params: { path: tenantPath() },
    body: {
      subjectType: 'User',
      subjectId: guest.user.id,
      targetType: 'File',
      targetId: land.id,
      level: 'Read',
      reason: 'Prüft den Kaufvertrag',
    },
  }),
);
const seen = await dataOf(gina.GET('/api/v1/t/{tenant}/files', { params: { path: tenantPath() } }));
if (seen.items.length !== 1) throw new Error('Gina does not see exactly one file');
await dataOf(
  gina.GET('/api/v1/t/{tenant}/notifications', {
    params: { path: tenantPath(), query: { unreadOnly: true } },
  }),
);

chapter('Cem saves a view and pages through it');
const view = await dataOf(
  cem.POST('/api/v1/t/{tenant}/saved-views', {
    params: { path: tenantPath() },
    body: {
      name: 'Mietverträge',
      filter: {
        documentTypeId: type.id,
        fileId: null,
        tagIds: [],
        metadataConditions: [{ fieldKey: 'kind', operator: 'EqualTo', value: 'lease' }],
      },
    },
  }),
);
let cursor: string | null = null;
let pages = 0;
do {
  const page: components['schemas']['DocumentPage'] = await dataOf(
    cem.POST('/api/v1/t/{tenant}/documents/search', {
      params: { path: tenantPath() },
      body: { savedViewId: view.id, limit: 1, cursor },
    }),
  );
  pages += 1;
  cursor = page.nextCursor;
} while (cursor !== null);
if (pages !== 2) throw new Error(`${pages} pages instead of 2`);

chapter('Paula revokes the grant and an open invitation');
await dataOf(
  paula.DELETE('/api/v1/t/{tenant}/access-grants/{grantId}', {
    params: { path: { ...tenantPath(), grantId: grant.id } },
  }),
);
await expectProblem(403, gina.GET('/api/v1/t/{tenant}/files', { params: { path: tenantPath() } }));
const late = await dataOf(
  paula.POST('/api/v1/t/{tenant}/invitations', {
    params: { path: tenantPath() },
    body: { email: 'late@story.example', roleId: roleId('viewer') },
  }),
);
await dataOf(
  paula.DELETE('/api/v1/t/{tenant}/invitations/{invitationId}', {
    params: { path: { ...tenantPath(), invitationId: late.id } },
  }),
);

chapter('Paula changes the slug; the former slug still works');
const slug = `${tenant}-new`;
await dataOf(
  paula.PUT('/api/v1/t/{tenant}/settings/slug', { params: { path: tenantPath() }, body: { slug } }),
);
await dataOf(cem.GET('/api/v1/t/{tenant}/me', { params: { path: tenantPath() } }));
tenant = slug;

chapter('Paula reads the audit log, newest entries first');
const entries = await dataOf(
  paula.GET('/api/v1/t/{tenant}/audit-log', { params: { path: tenantPath(), query: { limit: 10 } } }),
);
if (entries.items[0]?.action !== 'TenantSlugChanged')
  throw new Error('The last entry is not TenantSlugChanged');
