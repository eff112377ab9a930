import { setTimeout as sleep } from 'node:timers/promises';

interface Created {
  readonly id: string;
  readonly fields?: readonly object[];
}

const label = (text: string) => ({ labelDe: text, labelEn: text });

/** Adds rows to a demo tenant until every table of the tenant has some. */
export async function fillTenant(url: string, tokenOf: (user: string) => Promise<string>): Promise<void> {
  const tokens = new Map<string, string>();
  const send = async <T = Created>(
    user: string,
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<T> => {
    const token = tokens.get(user) ?? (await tokenOf(user));
    tokens.set(user, token);
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : body && JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? {} : await response.json()) as T;
  };
  const admin = 'administrator';
  const post = (path: string, body?: object | FormData) => send(admin, 'POST', path, body);
  const put = (path: string, body?: object | FormData) => send(admin, 'PUT', path, body);
  const remove = (path: string) => send(admin, 'DELETE', path);
  const upload = (title: string, text: string, fileIds: string[]) => {
    const form = new FormData();
    form.append('document', new Blob([JSON.stringify({ title, fileIds })], { type: 'application/json' }));
    form.append('content', new Blob([text], { type: 'text/plain' }), `${title}.txt`);
    return post('/documents', form);
  };
  const processed = async (id: string) => {
    while ((await send<{ status: string }>(admin, 'GET', `/documents/${id}`)).status === 'Processing')
      await sleep(50);
  };

  // Files: renamed, closed, reopened, deleted.
  const fileType = await post('/file-types', { key: 'upgrade', nameDe: 'Übernahme', nameEn: 'Upgrade' });
  const open = (number: string) =>
    post('/files', { fileTypeId: fileType.id, number, name: `Akte ${number}` });
  const [file, closed, reopened, deleted] = [
    await open('ÜB-1'),
    await open('ÜB-2'),
    await open('ÜB-3'),
    await open('ÜB-4'),
  ];
  await put(`/files/${file.id}`, { name: 'Akte ÜB-1, umbenannt' });
  await post(`/files/${closed.id}/close`);
  await post(`/files/${reopened.id}/close`);
  await post(`/files/${reopened.id}/reopen`);
  await remove(`/files/${deleted.id}`);

  // Document types: every type of field, a removed one, an inactive type; documents with values.
  const field = (key: string, type: string, more: object = {}) => ({
    key,
    type,
    required: false,
    ...label(key),
    ...more,
  });
  const removed = field('former', 'Text');
  const fields = [
    field('text', 'Text'),
    field('number', 'Number'),
    field('date', 'Date'),
    field('money', 'Money'),
    field('choice', 'Enumeration', {
      options: [
        { key: 'one', ...label('one') },
        { key: 'two', ...label('two') },
      ],
    }),
    field('file', 'Reference', { referenceTarget: 'File' }),
    field('document', 'Reference', { referenceTarget: 'Document' }),
    field('user', 'Reference', { referenceTarget: 'User' }),
  ];
  const names = { nameDe: 'Alle Felder', nameEn: 'All fields' };
  const type = await post('/document-types', { key: 'all-fields', ...names, fields: [...fields, removed] });
  const me = await send<{ user: Created }>(admin, 'GET', '/me');
  const editor = await send<{ user: Created }>('editor', 'GET', '/me');
  const plain = await post('/documents', { title: 'Ohne Typ' });
  const valued = await post('/documents', {
    title: 'Mit Werten',
    documentTypeId: type.id,
    fileIds: [file.id],
    fields: {
      text: 'Größe',
      number: '12.5',
      date: '2026-11-23',
      money: { amount: '1234.50', currency: 'EUR' },
      choice: 'one',
      file: file.id,
      document: plain.id,
      user: me.user.id,
      former: 'bleibt',
    },
  });
  await put(`/document-types/${type.id}`, { ...names, fields });
  const inactive = await post('/document-types', {
    key: 'inactive',
    nameDe: 'Stillgelegt',
    nameEn: 'Inactive',
    fields: [],
  });
  await post(`/document-types/${inactive.id}/deactivate`);

  // Documents: versions, links, tags, bin, archive, confidentiality, bulk changes.
  const document = await upload('Fassungen', 'Die erste Fassung.\n', [file.id]);
  await processed(document.id);
  for (const text of ['Die zweite Fassung.\n', 'Die dritte Fassung.\n']) {
    const form = new FormData();
    form.append('content', new Blob([text], { type: 'text/plain' }), 'Fassungen.txt');
    await put(`/documents/${document.id}/content`, form);
    await processed(document.id);
  }
  await post(`/documents/${document.id}/versions/1/restore`);
  await processed(document.id);
  const [kept, dropped] = [
    await post('/tags', { name: 'Übernommen' }),
    await post('/tags', { name: 'Vorläufig' }),
  ];
  await put(`/tags/${kept.id}`, { name: 'Übernommen, umbenannt' });
  await put(`/documents/${valued.id}/tags/${kept.id}`);
  await put(`/documents/${valued.id}/tags/${dropped.id}`);
  await remove(`/tags/${dropped.id}`);
  await put(`/documents/${plain.id}/files/${file.id}`);
  await remove(`/documents/${plain.id}/files/${file.id}`);
  const [binned, restored, archived, secret] = [
    await upload('Im Papierkorb', 'Gelöscht.\n', []),
    await post('/documents', { title: 'Wiederhergestellt' }),
    await upload('Im Archiv', 'Abgelegt.\n', [file.id]),
    await upload('Vertraulich', 'Nur für wenige.\n', [file.id]),
  ];
  for (const { id } of [binned, archived, secret]) await processed(id);
  await remove(`/documents/${binned.id}`);
  await remove(`/documents/${restored.id}`);
  await post(`/documents/${restored.id}/restore`);
  await post(`/documents/${archived.id}/archive`);
  await put(`/documents/${secret.id}/confidentiality`, { isConfidential: true });
  await put(`/documents/${secret.id}/confidential-access/${editor.user.id}`);
  await post('/documents/bulk', { action: 'Tag', documentIds: [valued.id, plain.id], tagIds: [kept.id] });

  // Members: roles, members of another issuer, a removed member, grants, invitations, a former slug, saved views.
  const role = await post('/roles', { name: 'Übernahme', permissions: ['files.read', 'documents.read'] });
  const [scanner, gone] = [
    await send<{ userId: string }>(admin, 'POST', '/members', {
      issuer: 'https://login.example',
      subject: 'scanner',
      roleId: role.id,
    }),
    await send<{ userId: string }>(admin, 'POST', '/members', {
      issuer: 'https://login.example',
      subject: 'gone',
      roleId: role.id,
    }),
  ];
  await remove(`/members/${gone.userId}`);
  const grant = (subjectType: string, subjectId: string, more: object = {}) =>
    post('/access-grants', {
      subjectType,
      subjectId,
      targetType: 'File',
      targetId: file.id,
      level: 'Read',
      ...more,
    });
  await grant('User', scanner.userId, { expiresAt: '2999-12-31T00:00:00.000Z' });
  const ended = await grant('Role', role.id, { reason: 'Vertretung' });
  await remove(`/access-grants/${ended.id}`);
  await post('/invitations', { email: 'pending@people.example', roleId: role.id });
  const revoked = await post('/invitations', { email: 'revoked@people.example', roleId: role.id });
  await remove(`/invitations/${revoked.id}`);
  const view = await post('/saved-views', { name: 'Übernommene', filter: { tagIds: [kept.id] } });
  await put(`/saved-views/${view.id}`, { name: 'Übernommene, umbenannt', filter: { fileId: file.id } });
  await put('/settings/slug', { slug: 'demo-former' });
  await send(admin, 'PUT', '/../demo-former/settings/slug', { slug: 'demo' });
}
