import { Injectable } from '@nestjs/common';
import { emailKey } from '../../common/email-address.js';
import { type Page, limitOf } from '../../common/page.js';
import { CursorCodec } from '../../platform/database/paging/cursor-codec.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type SignedInUser } from '../../platform/http/endpoint/current-signed-in-user.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type OwnTenantResponse } from './own-tenants.dto.js';

const SORT_KEY = `t.name COLLATE "und-x-icu"`;

@Injectable()
export class OwnTenantsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly cursors: CursorCodec,
  ) {}

  /** The view `own_tenants` returns only the tenants of this user, which are sorted for each page. */
  async list(signedInUser: SignedInUser, page: PageQuery): Promise<Page<OwnTenantResponse>> {
    const { id, verifiedEmail } = signedInUser.user;
    const list = { operation: 'ListOwnTenants' };
    const limit = limitOf(page);
    const after = this.cursors.read(signedInUser, list, page.cursor);
    const afterPosition = after ? `WHERE (${SORT_KEY}, t.id) > ($2::text, $3::uuid)` : '';
    const user = { userId: id, emailKey: verifiedEmail === null ? null : emailKey(verifiedEmail) };
    const rows = await this.uow.readForUser<OwnTenantResponse>(user, {
      text: `SELECT t.id, s.slug, t.name, json_build_object('id', o.role_id, 'key', o.role_key, 'name', o.role_name) AS role
               FROM own_tenants o
               JOIN tenants t ON t.id = o.tenant_id
               JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL
              ${afterPosition} ORDER BY ${SORT_KEY}, t.id LIMIT $1`,
      values: [limit + 1, ...(after ?? [])],
    });
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
