import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../common/identifier.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { Checkpoints } from './checkpoints.js';
import { EvidenceRepository } from './evidence.repository.js';
import { parseCheckpoint } from './notes/checkpoint.js';
import { AuditTreeRepository } from './tree/audit-tree.repository.js';

const EVERY_MS = 15 * 60 * 1000;

/**
 * Signs and stores a checkpoint of each tenant in which something was recorded since the last one: once a day, after
 * midnight in the time zone of the service. Its event carries it out of the service (docs/adr/0053).
 */
@Injectable()
export class DailyCheckpoint implements OnModuleInit {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly uow: UnitOfWork,
    private readonly checkpoints: Checkpoints,
    private readonly evidence: EvidenceRepository,
    private readonly trees: AuditTreeRepository,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    if (!this.checkpoints.canSign) {
      this.log.warn({}, 'no AUDIT_SIGNING_KEY or no PUBLIC_URL: the audit log has no checkpoints');
      return;
    }
    this.tasks.add({
      name: 'sign daily checkpoints of the audit log',
      lock: ADVISORY_LOCKS.auditCheckpoints,
      everyMs: EVERY_MS,
      run: (signal) => this.signDue(signal),
    });
  }

  signDue(signal?: AbortSignal): Promise<void> {
    // The last checkpoint was signed before today.
    const { timeZone } = this.configuration;
    const work = { function: 'tenants_with_audit_checkpoint_due', sinceMidnightIn: timeZone } as const;
    return this.tenants.forEach(work, (tenantId) => this.sign(tenantId), signal);
  }

  private async sign(tenantId: string): Promise<void> {
    const context = serviceContext(tenantId);
    const head = await this.checkpoints.head(context);
    await this.uow.write(context, async (tx) => {
      const size = await this.trees.lock(tx);
      // Another process adds leaves; the next run signs.
      if (size === undefined) return;
      const checkpoint = await this.checkpoints.sign(tx, head, size);
      const id = newId();
      await this.evidence.saveCheckpoint(tx, { id, size, checkpoint });
      const root = parseCheckpoint(checkpoint)?.root.toString('base64') ?? '';
      tx.record({ action: 'AuditCheckpointSigned', subjectId: id, summary: `${size} ${root}` });
    });
  }
}
