import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type TenantMeResponse } from './me.dto.js';
import { MeReader } from './me.reader.js';

@Injectable()
export class MeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly me: MeReader,
  ) {}

  /** Read from the database, not from what is remembered of the caller, which need not know names and slugs. */
  get(caller: Caller): Promise<TenantMeResponse> {
    return this.uow.read(caller, (tx) => this.me.get(tx, caller.user.id));
  }
}
