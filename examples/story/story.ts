import { type FilingClient, type components } from '../../clients/typescript/client.js';
import { packageTree } from './package-tree.js';
import { StoryClients, UnexpectedAnswer, type StoryOptions } from './story-clients.js';

/** Paula becomes administrator with her first request. */
export const STORY_USERS = {
  paula: 'paula@story.example',
  cem: 'cem@story.example',
  gina: 'gina@story.example',
  rita: 'rita@story.example',
};

const CONTRACT: components['schemas']['CreateDocumentTypeBody'] = {
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
 * Shows the operations of the service request by request, from a new tenant to its audit log.
 *
 * @throws UnexpectedAnswer, FilingProblem at the first unexpected answer
 */
export async function runStory(options: StoryOptions): Promise<void> {
  const clients = new StoryClients(options);

  clients.heading('Paula, the administrator of a new tenant, reads her own membership');
  const paula = await clients.clientFor('Paula', STORY_USERS.paula);
  await paula.GET('/me');

  clients.heading('She invites a colleague and a guest; they accept');
  const { data: roles } = await paula.GET('/roles');
  const roleId = (key: string): string => {
    const role = roles.items.find((candidate) => candidate.key === key);
    if (!role) throw new UnexpectedAnswer(`The role ${key} does not exist.`);
    return role.id;
  };
  const cem = await clients.clientFor('Cem', STORY_USERS.cem);
  await invite(paula, cem, STORY_USERS.cem, roleId('editor'));
  const gina = await clients.clientFor('Gina', STORY_USERS.gina);
  const guest = await invite(paula, gina, STORY_USERS.gina, roleId('guest'));

  clients.heading('Paula creates a document type with a field of each type');
  const { data: type } = await paula.POST('/document-types', { body: CONTRACT });

  clients.heading('Cem creates two files with contracts');
  const { data: fileType } = await paula.POST('/file-types', {
    body: { key: 'contracts', nameDe: 'Vertragsakte', nameEn: 'Contract file' },
  });
  const ofType = { params: { path: { fileTypeId: fileType.id } } };
  await paula.PUT('/file-types/{fileTypeId}/numbering', { ...ofType, body: { pattern: 'V-2026-{seq}' } });
  const open = async (name: string) =>
    (await cem.POST('/file-types/{fileTypeId}/files', { ...ofType, body: { name } })).data;
  const land = await open('Grundstück am See');
  const cars = await open('Dienstwagen');
  const { data: purchase } = await cem.POST('/documents', {
    body: {
      document: {
        title: 'Kaufvertrag',
        documentTypeId: type.id,
        fileIds: [land.id],
        fields: {
          partner: 'Seegut GmbH',
          pages: '12',
          signedOn: '2026-03-31',
          value: { amount: '1250000.00', currency: 'EUR' },
          kind: 'purchase',
          relatedFile: cars.id,
        },
      },
      content: new File(['Zwischen den Parteien wird vereinbart …\n'], 'Kaufvertrag.txt', {
        type: 'text/plain',
      }),
    },
  });
  const { data: lease } = await cem.POST('/documents', {
    body: {
      title: 'Leasingvertrag',
      documentTypeId: type.id,
      fileIds: [cars.id],
      fields: { partner: 'Auto AG', value: { amount: '399.5', currency: 'EUR' }, kind: 'lease' },
    },
  });
  await cem.POST('/documents', {
    body: {
      title: 'Wartungsvertrag',
      documentTypeId: type.id,
      fileIds: [cars.id],
      fields: { partner: 'Auto AG', kind: 'lease' },
    },
  });
  await cem.GET('/files/{fileId}/documents', { params: { path: { fileId: cars.id } } });

  clients.heading('The service processes the uploaded document and makes it active');
  const uploaded = { params: { path: { documentId: purchase.id } } };
  await clients.waitUntil(STORY_USERS.cem, async (quiet) => {
    const { data } = await quiet.GET('/documents/{documentId}', uploaded);
    return data.status !== 'Processing';
  });
  await cem.GET('/documents/{documentId}', uploaded);

  clients.heading('Cem makes a document confidential: Paula gets a 404 for it');
  const leased = { params: { path: { documentId: lease.id } } };
  await cem.PUT('/documents/{documentId}/confidentiality', { ...leased, body: { isConfidential: true } });
  await clients.expectRefusal(404, paula.GET('/documents/{documentId}', leased));

  clients.heading('Files of the type are kept for ten years; a hold keeps one of them whatever happens');
  await paula.PUT('/file-types/{fileTypeId}/retention', {
    ...ofType,
    body: { period: 'P10Y', startsAt: 'EndOfYearOfClosing', disposition: 'Destroy' },
  });
  const ofLand = { params: { path: { fileId: land.id } } };
  await paula.GET('/files/{fileId}/retention', ofLand);
  const { data: hold } = await paula.POST('/holds', {
    body: { name: 'Rechtsstreit Seegut', reason: 'Klage auf Rückabwicklung' },
  });
  const ofHold = { params: { path: { holdId: hold.id } } };
  await paula.POST('/holds/{holdId}/items', { ...ofHold, body: { fileIds: [land.id] } });
  await cem.GET('/documents/{documentId}/retention', uploaded);
  await clients.expectRefusal(409, cem.DELETE('/documents/{documentId}', uploaded));
  await paula.POST('/holds/{holdId}/release', ofHold);

  clients.heading(
    'Decades later a closed file is due: Paula lists it, Rita approves, the service destroys it',
  );
  const rita = await clients.clientFor('Rita', STORY_USERS.rita);
  await invite(paula, rita, STORY_USERS.rita, roleId('records_manager'));
  const van = await open('Altes Fahrzeug');
  await cem.POST('/documents', { body: { title: 'Abmeldung', fileIds: [van.id] } });
  const ofVan = { params: { path: { fileId: van.id } } };
  await cem.POST('/files/{fileId}/close', ofVan);
  await paula.GET('/files/{fileId}/retention', ofVan);
  await options.ageFile(van.id);
  await paula.GET('/files/{fileId}/retention', ofVan);
  const { data: disposal } = await paula.POST('/disposals', {
    body: { name: 'Aussonderung 2026', fileTypeId: fileType.id, dueBefore: '2026-01-01' },
  });
  const ofDisposal = { params: { path: { disposalId: disposal.id } } };
  await paula.GET('/disposals/{disposalId}/files', ofDisposal);
  await paula.POST('/disposals/{disposalId}/submit', ofDisposal);
  await clients.expectRefusal(409, paula.POST('/disposals/{disposalId}/approve', ofDisposal));
  await rita.POST('/disposals/{disposalId}/approve', ofDisposal);
  await clients.waitUntil(STORY_USERS.rita, async (quiet) => {
    const { data } = await quiet.GET('/disposals/{disposalId}', ofDisposal);
    return data.status === 'Completed';
  });
  await rita.GET('/disposals/{disposalId}/certificate', ofDisposal);
  await clients.expectRefusal(404, paula.GET('/files/{fileId}', ofVan));
  const again = { fileTypeId: fileType.id, number: van.number, name: 'Neues Fahrzeug' };
  await clients.expectRefusal(409, paula.POST('/files', { body: again }));

  clients.heading('Rita exports a file; a program without the service reads the package');
  const { data: started } = await rita.POST('/exports', {
    body: { name: 'Abgabe Grundstück', fileIds: [land.id] },
  });
  const ofExport = { params: { path: { exportId: started.id } } };
  await clients.waitUntil(STORY_USERS.rita, async (quiet) => {
    const { data } = await quiet.GET('/exports/{exportId}', ofExport);
    return data.status === 'Ready';
  });
  const { data: zip } = await rita.GET('/exports/{exportId}/content', {
    ...ofExport,
    parseAs: 'arrayBuffer',
  });
  clients.show(await packageTree(Buffer.from(zip)));

  clients.heading('Gina sees no files until Paula grants her access to one');
  await clients.expectRefusal(403, gina.GET('/files'));
  const { data: grant } = await paula.POST('/access-grants', {
    body: {
      subjectType: 'User',
      subjectId: guest.user.id,
      targetType: 'File',
      targetId: land.id,
      level: 'Read',
      reason: 'Prüft den Kaufvertrag',
    },
  });
  await gina.GET('/files');
  await gina.GET('/notifications');

  clients.heading('Cem creates a saved view and pages through its documents');
  const { data: view } = await cem.POST('/saved-views', {
    body: {
      name: 'Mietverträge',
      filter: {
        documentTypeId: type.id,
        fileId: null,
        tagIds: [],
        metadataConditions: [{ fieldKey: 'kind', operator: 'EqualTo', value: 'lease' }],
      },
    },
  });
  await cem.GET('/saved-views');
  let found = 0;
  for await (const _document of cem.pages('/documents/search', { body: { savedViewId: view.id, limit: 1 } }))
    found += 1;
  if (found !== 2) throw new UnexpectedAnswer(`The view finds ${found} documents instead of 2.`);

  clients.heading('Paula removes a field from the type; documents keep their values');
  const { nameDe, nameEn, fields } = type;
  await paula.PUT('/document-types/{documentTypeId}', {
    params: { path: { documentTypeId: type.id } },
    body: { nameDe, nameEn, fields: fields.filter(({ key }) => key !== 'pages') },
  });

  clients.heading('Paula revokes the grant and a pending invitation');
  await paula.DELETE('/access-grants/{grantId}', { params: { path: { grantId: grant.id } } });
  await clients.expectRefusal(403, gina.GET('/files'));
  const { data: late } = await paula.POST('/invitations', {
    body: { email: 'late@story.example', roleId: roleId('viewer'), sendMail: false },
  });
  await paula.DELETE('/invitations/{invitationId}', { params: { path: { invitationId: late.id } } });

  clients.heading('Paula changes the slug of the tenant; the previous one still works');
  const slug = `${options.slug}-new`;
  await paula.PUT('/settings/slug', { body: { slug } });
  await cem.GET('/me');

  clients.heading('Paula reads the audit log, newest entries first');
  const renamed = await clients.clientFor('Paula', STORY_USERS.paula, slug);
  await renamed.GET('/audit-log', { params: { query: { limit: 10 } } });
}

async function invite(by: FilingClient, invited: FilingClient, email: string, role: string) {
  const { data } = await by.POST('/invitations', { body: { email, roleId: role, sendMail: false } });
  if (data.secret === undefined)
    throw new UnexpectedAnswer('The answer does not contain the secret of the invitation.');
  return (await invited.POST('/invitations/accept', { body: { secret: data.secret } })).data;
}
