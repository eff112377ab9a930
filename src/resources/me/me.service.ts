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

  /** Reads the database, because the cached caller may have outdated names and slugs. */
  get(caller: Caller): Promise<TenantMeResponse> {
    return this.uow.read(caller, (tx) => this.me.get(tx, caller.user.id));
  }
}
