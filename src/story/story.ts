import { Narrator, type StoryStage, StoryBroken, type Teller } from './narrator.js';

interface WithId {
  id: string;
}
interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
interface Me {
  user: WithId;
}
interface Role extends WithId {
  key: string | null;
}
interface Field {
  key: string;
  isRemoved?: boolean;
}
interface Document extends WithId {
  status: string;
}

interface DocumentType extends WithId {
  nameDe: string;
  nameEn: string;
  fields: Field[];
}

/** Who is in it. Paula becomes administrator at first sight. */
export const STORY_PEOPLE = {
  paula: 'paula@story.example',
  cem: 'cem@story.example',
  gina: 'gina@story.example',
};

const CONTRACT = {
  key: 'contract',
  nameDe: 'Vertrag',
  nameEn: 'Contract',
  fields: [
    { key: 'partner', type: 'Text', required: true, labelDe: 'Vertragspartner', labelEn: 'Partner' },
    { key: 'pages', type: 'Number', required: false, labelDe: 'Seiten', labelEn: 'Pages' },
    { key: 'signedOn', type: 'Date', required: false, labelDe: 'Unterschrieben am', labelEn: 'Signed on' },
    { key: 'value', type: 'Money', required: false, labelDe: 'Wert', labelEn: 'Value' },
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
    {
      key: 'relatedFile',
      type: 'Reference',
      required: false,
      labelDe: 'Zugehörige Akte',
      labelEn: 'Related file',
      referenceTarget: 'File',
    },
  ],
};

/**
 * One tenant from its first day to the audit log at the end: what a new user can read to see what the service does,
 * request by request.
 *
 * @throws StoryBroken at the first answer that is not as told
 */
export async function tellStory(stage: StoryStage): Promise<void> {
  const narrator = new Narrator(stage);

  narrator.chapter('Paula administers a new tenant, and sees herself in it');
  const paula = await narrator.person('Paula', STORY_PEOPLE.paula);
  await paula.get<Me>('/me');

  narrator.chapter('She invites a colleague and a guest; they accept');
  const roles = await paula.get<Page<Role>>('/roles');
  const cem = await narrator.person('Cem', STORY_PEOPLE.cem);
  await invite(paula, cem, STORY_PEOPLE.cem, roleId(roles, 'editor'));
  const gina = await narrator.person('Gina', STORY_PEOPLE.gina);
  const guest = await invite(paula, gina, STORY_PEOPLE.gina, roleId(roles, 'guest'));

  narrator.chapter('A document type with a field of each type');
  const type = await paula.post<DocumentType>('/document-types', CONTRACT);

  narrator.chapter('Cem opens two files and files contracts into them');
  const fileType = await paula.post<WithId>('/file-types', {
    key: 'contracts',
    nameDe: 'Vertragsakte',
    nameEn: 'Contract file',
  });
  const land = await cem.post<WithId>('/files', {
    fileTypeId: fileType.id,
    number: 'V-2026-1',
    name: 'Grundstück am See',
  });
  const cars = await cem.post<WithId>('/files', {
    fileTypeId: fileType.id,
    number: 'V-2026-2',
    name: 'Dienstwagen',
  });
  const contract = (title: string, fileId: string, fields: object) => ({
    title,
    documentTypeId: type.id,
    fileIds: [fileId],
    fields,
  });
  const purchase = await cem.post<WithId>(
    '/documents',
    upload(
      contract('Kaufvertrag', land.id, {
        partner: 'Seegut GmbH',
        pages: '12',
        signedOn: '2026-03-31',
        value: { amount: '1250000.00', currency: 'EUR' },
        kind: 'purchase',
        relatedFile: cars.id,
      }),
    ),
  );
  const lease = await cem.post<WithId>(
    '/documents',
    contract('Leasingvertrag', cars.id, {
      partner: 'Auto AG',
      value: { amount: '399.5', currency: 'EUR' },
      kind: 'lease',
    }),
  );
  await cem.post<WithId>(
    '/documents',
    contract('Wartungsvertrag', cars.id, { partner: 'Auto AG', kind: 'lease' }),
  );
  await cem.get(`/files/${cars.id}/documents`);

  narrator.chapter('What he uploaded is looked into; then it is active');
  await cem.getWhen<Document>(`/documents/${purchase.id}`, ({ status }) => status !== 'Processing');

  narrator.chapter('He makes one confidential: for Paula it is not there any more');
  await cem.put(`/documents/${lease.id}/confidentiality`, { isConfidential: true });
  await paula.get(`/documents/${lease.id}`, 404);

  narrator.chapter('Gina sees no file, until one is granted to her');
  await gina.get('/files', 403);
  const grant = await paula.post<WithId>('/access-grants', {
    subjectType: 'User',
    subjectId: guest.user.id,
    targetType: 'File',
    targetId: land.id,
    level: 'Read',
    reason: 'Prüft den Kaufvertrag',
  });
  await gina.get('/files');
  await gina.get('/notifications');

  narrator.chapter('Cem saves a view and pages through it');
  const view = await cem.post<WithId>('/saved-views', {
    name: 'Mietverträge',
    filter: {
      documentTypeId: type.id,
      fileId: null,
      tagIds: [],
      metadataConditions: [{ fieldKey: 'kind', operator: 'EqualTo', value: 'lease' }],
    },
  });
  await cem.get('/saved-views');
  const first = await cem.post<Page<WithId>>('/documents/search', { savedViewId: view.id, limit: 1 }, 200);
  await cem.post('/documents/search', { savedViewId: view.id, limit: 1, cursor: first.nextCursor }, 200);

  narrator.chapter('A field is removed from the type; what documents have of it is kept');
  const { nameDe, nameEn, fields } = type;
  await paula.put(`/document-types/${type.id}`, {
    nameDe,
    nameEn,
    fields: fields.filter(({ key }) => key !== 'pages'),
  });

  narrator.chapter('The grant ends, and an invitation that nobody has answered');
  await paula.delete(`/access-grants/${grant.id}`);
  await gina.get('/files', 403);
  const open = await paula.post<WithId>('/invitations', {
    email: 'late@story.example',
    roleId: roleId(roles, 'viewer'),
  });
  await paula.delete(`/invitations/${open.id}`);

  narrator.chapter('The tenant gets another slug; the former one goes on leading to it');
  const slug = `${stage.slug}-new`;
  await paula.put('/settings/slug', { slug });
  await cem.get('/me');
  narrator.rename(slug);

  narrator.chapter('What happened, newest first');
  await paula.get('/audit-log?limit=10');
}

async function invite(by: Teller, invited: Teller, email: string, role: string): Promise<Me> {
  const { secret } = await by.post<{ secret: string }>('/invitations', { email, roleId: role });
  return invited.post<Me>('/invitations/accept', { secret }, 200);
}

function roleId({ items }: Page<Role>, key: string): string {
  const role = items.find((candidate) => candidate.key === key);
  if (!role) throw new StoryBroken(`There is no role ${key}.`);
  return role.id;
}

function upload(document: object): FormData {
  const form = new FormData();
  form.append('document', new Blob([JSON.stringify(document)], { type: 'application/json' }));
  form.append(
    'content',
    new Blob(['Zwischen den Parteien wird vereinbart …\n'], { type: 'text/plain' }),
    'Kaufvertrag.txt',
  );
  return form;
}
