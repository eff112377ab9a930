import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { type DocumentTypeView, DocumentTypesReader } from '../../document-types/document-types.reader.js';
import { DocumentTextsRepository } from '../contents/document-texts.repository.js';
import { type FieldValues } from '../document.entity.js';
import { DocumentValuesRepository } from '../values/document-values.repository.js';
import { type FieldValue } from '../values/value-rules.js';
import { textOfValues } from '../values/values-text.js';

const EVERY_MS = 60_000;
/** Maximum number of documents that one transaction writes: their changes wait for it. */
const BATCH = 25;

/**
 * Indexes the words of values again: after an upgrade, and after a change of the labels of options or of removed fields.
 */
@Injectable()
export class ValueIndexing implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly types: DocumentTypesReader,
    private readonly values: DocumentValuesRepository,
    private readonly texts: DocumentTextsRepository,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'index the words of values again',
      lock: ADVISORY_LOCKS.valueIndexing,
      everyMs: EVERY_MS,
      run: (signal) => this.indexAll(signal),
    });
  }

  async indexAll(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_values_to_index' } as const;
    const index = async (tenantId: string) => {
      while (!signal?.aborted && (await this.indexNext(tenantId)));
    };
    await this.tenants.forEach(work, index, signal);
  }

  /** Returns whether there may be more to do. */
  private indexNext(tenantId: string): Promise<boolean> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      // The lock keeps the labels until the commit.
      const type = await this.types.lockToIndexOrNull(tx);
      if (type?.indexBefore == null) return false;
      const documents = await this.values.lockOfType(tx, type.id, type.indexBefore, BATCH);
      for (const { id, fields } of documents) await this.texts.replaceValues(tx, id, textOf(type, fields));
      const last = documents.length < BATCH ? undefined : documents.at(-1);
      await this.types.setIndexed(tx, type.id, last?.id ?? null);
      return true;
    });
  }
}

function textOf({ fields }: DocumentTypeView, values: FieldValues): string {
  const live = fields.filter(({ key, isRemoved }) => !isRemoved && Object.hasOwn(values, key));
  return textOfValues(live.map((field) => ({ field, value: values[field.key] as FieldValue })));
}
