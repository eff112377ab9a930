import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** All tenants, for the service's own work in each of them. */
@Injectable()
export class TenantsReader {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Does each task in one tenant after the other, until the signal aborts. A task that fails keeps no other from being
   * done; the first error is thrown in the end.
   */
  async forEach(
    tasks: readonly ((tenantId: string) => Promise<void>)[],
    signal?: AbortSignal,
  ): Promise<void> {
    const tenants = await this.dataSource.query<{ id: string }[]>('SELECT id FROM tenants');
    const errors: unknown[] = [];
    for (const { id } of tenants) {
      for (const task of tasks) {
        if (signal?.aborted) return;
        await task(id).catch((error: unknown) => errors.push(error));
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
