/**
 * The story (`npm run story`) told by a generated client: openapi-fetch with the types of openapi-typescript, compiled
 * under `strict` and run by clients-spec.ts. What a call takes and answers is known from the OpenAPI document alone.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [url = '', firstSlug = '', tokens = '{}'] = process.argv.slice(2);
const tokenOf = JSON.parse(tokens) as Record<'paula' | 'cem' | 'gina', string>;

type Api = Client<paths>;

function clientOf(person: keyof typeof tokenOf): Api {
  return createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${tokenOf[person]}` } });
}

/** The answer's data; whatever else is answered ends the story. */
async function given<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`);
  return data as T;
}

async function refused(
  status: number,
  call: Promise<{ error?: components['schemas']['ProblemDetails']; response: Response }>,
): Promise<void> {
  const { error, response } = await call;
  if (response.status !== status)
    throw new Error(`${response.status} in place of ${status}: ${response.url}`);
  if (!error?.type?.startsWith('/problems/')) throw new Error(`No problem: ${JSON.stringify(error)}`);
}

function chapter(title: string): void {
  console.log(`## ${title}`);
}

const [paula, cem, gina] = [clientOf('paula'), clientOf('cem'), clientOf('gina')];
let tenant = firstSlug;
const at = () => ({ tenant });

chapter('Paula administers a new tenant, and sees herself in it');
const me = await given(paula.GET('/api/v1/t/{tenant}/me', { params: { path: at() } }));
if (!me.permissions.includes('roles.manage')) throw new Error('She does not administer it');

chapter('She invites a colleague and a guest; they accept');
const roles = await given(paula.GET('/api/v1/t/{tenant}/roles', { params: { path: at() } }));
const roleId = (key: string): string => {
  const role = roles.items.find((candidate) => candidate.key === key);
  if (!role) throw new Error(`There is no role ${key}`);
  return role.id;
};
async function invite(api: Api, email: string, key: string) {
  const body = { email, roleId: roleId(key) };
  const { secret } = await given(
    paula.POST('/api/v1/t/{tenant}/invitations', { params: { path: at() }, body }),
  );
  if (secret === undefined) throw new Error('The secret is shown with the first answer');
  return given(
    api.POST('/api/v1/t/{tenant}/invitations/accept', { params: { path: at() }, body: { secret } }),
  );
}
await invite(cem, 'cem@story.example', 'editor');
const guest = await invite(gina, 'gina@story.example', 'guest');

chapter('A document type');
const type = await given(
  paula.POST('/api/v1/t/{tenant}/document-types', {
    params: { path: at() },
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

chapter('Cem opens two files and files contracts into them');
const fileType = await given(
  paula.POST('/api/v1/t/{tenant}/file-types', {
    params: { path: at() },
    body: { key: 'contracts', nameDe: 'Vertragsakte', nameEn: 'Contract file' },
  }),
);
const open = (number: string, name: string) =>
  given(
    cem.POST('/api/v1/t/{tenant}/files', {
      params: { path: at(), header: { 'Idempotency-Key': `story-${number}` } },
      body: { fileTypeId: fileType.id, number, name },
    }),
  );
const land = await open('V-2026-1', 'Grundstück am See');
const cars = await open('V-2026-2', 'Dienstwagen');
await refused(
  409,
  cem.POST('/api/v1/t/{tenant}/files', {
    params: { path: at() },
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
const purchase = await given(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: at() },
    body: { document: contract('Kaufvertrag', land.id, { partner: 'Seegut GmbH', kind: 'purchase' }) },
    // A body of several forms: which of them it is, is told by what is in it.
    bodySerializer: (body) => {
      if (!('document' in body)) throw new Error('It is uploaded as a form');
      const form = new FormData();
      form.append('document', new Blob([JSON.stringify(body.document)], { type: 'application/json' }));
      form.append('content', new Blob([text], { type: 'text/plain' }), 'Kaufvertrag.txt');
      return form;
    },
  }),
);
const content = await given(
  cem.GET('/api/v1/t/{tenant}/documents/{documentId}/content', {
    params: { path: { ...at(), documentId: purchase.id } },
    parseAs: 'text',
  }),
);
if (content !== text) throw new Error(`Another text came back: ${String(content)}`);
const lease = await given(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: at() },
    body: contract('Leasingvertrag', cars.id, { partner: 'Auto AG', kind: 'lease' }),
  }),
);
await given(
  cem.POST('/api/v1/t/{tenant}/documents', {
    params: { path: at() },
    body: contract('Wartungsvertrag', cars.id, { partner: 'Auto AG', kind: 'lease' }),
  }),
);
const inCars = await given(
  cem.GET('/api/v1/t/{tenant}/files/{fileId}/documents', { params: { path: { ...at(), fileId: cars.id } } }),
);
if (inCars.items.length !== 2) throw new Error('Two contracts belong into it');

chapter('He makes one confidential: for Paula it is not there any more');
const leasePath = { path: { ...at(), documentId: lease.id } };
await given(
  cem.PUT('/api/v1/t/{tenant}/documents/{documentId}/confidentiality', {
    params: leasePath,
    body: { isConfidential: true },
  }),
);
await refused(404, paula.GET('/api/v1/t/{tenant}/documents/{documentId}', { params: leasePath }));

chapter('Gina sees no file, until one is granted to her');
await refused(403, gina.GET('/api/v1/t/{tenant}/files', { params: { path: at() } }));
const grant = await given(
  paula.POST('/api/v1/t/{tenant}/access-grants', {
    params: { path: at() },
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
const seen = await given(gina.GET('/api/v1/t/{tenant}/files', { params: { path: at() } }));
if (seen.items.length !== 1) throw new Error('One file is granted to her');
await given(
  gina.GET('/api/v1/t/{tenant}/notifications', { params: { path: at(), query: { unreadOnly: true } } }),
);

chapter('Cem saves a view and pages through it');
const view = await given(
  cem.POST('/api/v1/t/{tenant}/saved-views', {
    params: { path: at() },
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
  const page: components['schemas']['DocumentPage'] = await given(
    cem.POST('/api/v1/t/{tenant}/documents/search', {
      params: { path: at() },
      body: { savedViewId: view.id, limit: 1, cursor },
    }),
  );
  pages += 1;
  cursor = page.nextCursor;
} while (cursor !== null);
if (pages !== 2) throw new Error(`${pages} pages in place of 2`);

chapter('The grant ends, and an invitation that nobody has answered');
await given(
  paula.DELETE('/api/v1/t/{tenant}/access-grants/{grantId}', {
    params: { path: { ...at(), grantId: grant.id } },
  }),
);
await refused(403, gina.GET('/api/v1/t/{tenant}/files', { params: { path: at() } }));
const late = await given(
  paula.POST('/api/v1/t/{tenant}/invitations', {
    params: { path: at() },
    body: { email: 'late@story.example', roleId: roleId('viewer') },
  }),
);
await given(
  paula.DELETE('/api/v1/t/{tenant}/invitations/{invitationId}', {
    params: { path: { ...at(), invitationId: late.id } },
  }),
);

chapter('The tenant gets another slug; the former one goes on leading to it');
const slug = `${tenant}-new`;
await given(paula.PUT('/api/v1/t/{tenant}/settings/slug', { params: { path: at() }, body: { slug } }));
await given(cem.GET('/api/v1/t/{tenant}/me', { params: { path: at() } }));
tenant = slug;

chapter('What happened, newest first');
const entries = await given(
  paula.GET('/api/v1/t/{tenant}/audit-log', { params: { path: at(), query: { limit: 10 } } }),
);
if (entries.items[0]?.action !== 'TenantSlugChanged') throw new Error('The slug was changed last');
