import { Injectable } from '@nestjs/common';
import { orNotFound } from '../../common/problem.js';
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
    const row = orNotFound(await this.me.find(tx, userId));
    return presentTenantMe(row);
  }
}
