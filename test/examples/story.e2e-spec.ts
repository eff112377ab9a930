import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runStory } from '../../examples/story/story.js';
import { TestService } from '../support/service/service.js';

describe('The story', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '1' });
  });

  afterAll(() => service.stop());

  it('goes as it is told, from the first invitation to the audit log', async () => {
    const tenant = await service.tenant();
    await service.query(
      `INSERT INTO expected_members (tenant_id, email_key, email, role_id)
       SELECT $1, 'paula@story.example', 'paula@story.example', id FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tenant.id],
    );
    const lines: string[] = [];
    await runStory({
      url: service.url,
      slug: tenant.slug,
      tokenFor: (email) => service.issuer.token({ sub: email, email, email_verified: true, name: email }),
      print: (line) => lines.push(line),
      ageFile: async (fileId) => {
        await service.query(
          `UPDATE files SET closed_at = closed_at - interval '40 years' WHERE tenant_id = $1 AND id = $2`,
          [tenant.id, fileId],
        );
      },
    });
    expect(lines.filter((line) => line.startsWith('\n## '))).toHaveLength(15);
    expect(lines).toContain(
      '  V-2026-1 Grundstück am See\n    Kaufvertrag\n      data/V-2026-1/Kaufvertrag.txt',
    );

    const actions = (await tenant.audit()).map(({ action }) => action);
    expect(actions.filter((action, index) => actions.indexOf(action) === index)).toEqual([
      'MemberAdded',
      'InvitationCreated',
      'InvitationAccepted',
      'DocumentTypeCreated',
      'FileTypeCreated',
      'FileTypeNumberingChanged',
      'FileCreated',
      'DocumentCreated',
      'DocumentFiled',
      'ConfidentialityChanged',
      'FileTypeRetentionChanged',
      'HoldCreated',
      'HoldItemAdded',
      'HoldReleased',
      'FileClosed',
      'DisposalCreated',
      'DisposalSubmitted',
      'DisposalApproved',
      'DocumentPurged',
      'FileDisposed',
      'DisposalCompleted',
      'ExportCreated',
      'DocumentExported',
      'ExportDownloaded',
      'AccessGranted',
      'SavedViewCreated',
      'DocumentTypeUpdated',
      'AccessRevoked',
      'InvitationRevoked',
      'TenantSlugChanged',
    ]);
  });
});
