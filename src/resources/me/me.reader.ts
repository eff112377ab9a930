import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { MeRoleResponse, TenantMeResponse, presentTenantMe } from './me.dto.js';
import { MeRepository } from './me.repository.js';

/** What other resources answer with, too. */
export { MeRoleResponse, TenantMeResponse };

/** What a user is in a tenant. */
@Injectable()
export class MeReader {
  constructor(private readonly me: MeRepository) {}

  /** The 404 for somebody who is no member. */
  async get(tx: TenantTransaction, userId: string): Promise<TenantMeResponse> {
    const row = await this.me.find(tx, userId);
    if (!row) throw notFound();
    return presentTenantMe(row);
  }
}
