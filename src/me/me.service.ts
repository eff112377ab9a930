import { Injectable } from '@nestjs/common';
import { notFound } from '../common/problem.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type Caller } from '../tenancy/caller.js';
import { type TenantMeResponse, presentTenantMe } from './me.dto.js';
import { MeRepository } from './me.repository.js';

@Injectable()
export class MeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly me: MeRepository,
  ) {}

  /** Read from the database, not from what is remembered of the caller, which need not know names and slugs. */
  get(caller: Caller): Promise<TenantMeResponse> {
    return this.uow.read(caller, async (tx) => {
      const row = await this.me.find(tx, caller.user.id);
      if (!row) throw notFound();
      return presentTenantMe(row);
    });
  }
}
