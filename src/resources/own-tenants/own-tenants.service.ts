import { Injectable } from '@nestjs/common';
import { emailKey } from '../../common/email-address.js';
import { type Page, limitOf } from '../../common/page.js';
import { CursorCodec } from '../../platform/database/paging/cursor-codec.js';
import { type SignedInUser } from '../../platform/http/endpoint/current-signed-in-user.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type OwnTenantResponse } from './own-tenants.dto.js';
import { OwnTenantsRepository } from './own-tenants.repository.js';

@Injectable()
export class OwnTenantsService {
  constructor(
    private readonly tenants: OwnTenantsRepository,
    private readonly cursors: CursorCodec,
  ) {}

  async list(signedInUser: SignedInUser, page: PageQuery): Promise<Page<OwnTenantResponse>> {
    const { id, verifiedEmail } = signedInUser.user;
    const list = { operation: 'ListOwnTenants' };
    const limit = limitOf(page);
    const after = this.cursors.read(signedInUser, list, page.cursor);
    const user = { userId: id, emailKey: verifiedEmail === null ? null : emailKey(verifiedEmail) };
    const rows = await this.tenants.list(user, after, limit);
    return this.cursors.page(
      signedInUser,
      list,
      rows,
      limit,
      (row) => [row.name, row.id],
      (row) => row,
    );
  }
}
