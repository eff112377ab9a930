import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { MeRoleResponse, TenantMeResponse, presentTenantMe } from './me.dto.js';
import { MeRepository } from './me.repository.js';

/** Other resources return these, too. */
export { MeRoleResponse, TenantMeResponse };

@Injectable()
export class MeReader {
  constructor(private readonly me: MeRepository) {}

  /** Throws 404 if the user is not a member. */
  async get(tx: TenantTransaction, userId: string): Promise<TenantMeResponse> {
    const row = await this.me.find(tx, userId);
    if (!row) throw notFound();
    return presentTenantMe(row);
  }
}
