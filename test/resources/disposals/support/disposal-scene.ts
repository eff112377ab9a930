import { saveRetention } from '../../../factories/retentions.js';
import { type DisposalOverrides, saveClosedFile, saveDisposal } from '../../../factories/disposals.js';
import { saveFileType } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** A tenant with a file type whose files are to be destroyed a year after their closing. */
export class DisposalScene {
  private constructor(
    readonly service: TestService,
    readonly tenant: TestTenant,
    readonly maker: Actor,
    readonly approver: Actor,
    readonly fileTypeId: string,
  ) {}

  static async create(service: TestService): Promise<DisposalScene> {
    const tenant = await service.tenant();
    const maker = await tenant.as('records_manager', 'Rita');
    const approver = await tenant.as('administrator', 'Alice');
    const fileTypeId = (await saveFileType(tenant)).id;
    await saveRetention(tenant, fileTypeId, 'P1Y');
    return new DisposalScene(service, tenant, maker, approver, fileTypeId);
  }

  /** The id of a file that is due since two years. */
  async dueFile(years = 3): Promise<string> {
    return (await saveClosedFile(this.tenant, this.maker, { fileTypeId: this.fileTypeId, years })).id;
  }

  async save(overrides: Partial<DisposalOverrides> = {}): Promise<string> {
    return (await saveDisposal(this.tenant, this.maker, { fileTypeId: this.fileTypeId, ...overrides })).id;
  }

  /** The id of a disposal of another tenant. */
  async foreign(): Promise<string> {
    return (await DisposalScene.create(this.service)).save();
  }

  async ids(table: 'files' | 'documents' | 'disposals'): Promise<string[]> {
    const rows = await this.tenant.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE tenant_id = $1 ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Status and editors of a disposal, and the lines of its files by id. */
  async stored(id: string): Promise<{ status: string; editors: string[]; files: Record<string, object> }> {
    const [disposal] = await this.tenant.query<{ status: string; editors: string[] }>(
      'SELECT status, editors FROM disposals WHERE tenant_id = $1 AND id = $2',
      id,
    );
    const files = await this.tenant.query<{ file_id: string }>(
      `SELECT file_id, decision, reference, keep_until::text, outcome, skipped_because AS because
         FROM disposal_files WHERE tenant_id = $1 AND disposal_id = $2`,
      id,
    );
    return {
      ...(disposal ?? { status: 'none', editors: [] }),
      files: Object.fromEntries(files.map(({ file_id: fileId, ...line }) => [fileId, line])),
    };
  }

  /** The only audit entry, of this action about this disposal. */
  entry(actor: Actor, action: string, id: string, summary: string): object[] {
    return [actor.entry(action, 'Disposal', id, summary)];
  }
}
