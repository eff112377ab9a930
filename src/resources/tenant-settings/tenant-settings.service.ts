import { Injectable } from '@nestjs/common';
import { Problem } from '../../common/problem.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { RateLimiter, rateLimited } from '../../platform/http/rate-limit/rate-limiter.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { isAllowedSlug } from '../../platform/tenancy/tenants/slug.js';
import { type TenantSlugResponse } from './tenant-settings.dto.js';
import { TenantSlugsRepository } from './tenant-slugs.repository.js';

/**
 * Limit per tenant, for all its members together: each attempt shows whether another tenant uses the slug.
 */
const SLUG_ATTEMPTS = { attempts: 10, seconds: 3600 };

@Injectable()
export class TenantSettingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly slugs: TenantSlugsRepository,
    private readonly limiter: RateLimiter,
  ) {}

  /** Accepts any JSON body: one without a valid slug is the same conflict as a taken slug. */
  async changeSlug(caller: Caller, body: unknown): Promise<TenantSlugResponse> {
    // Check the caller’s permissions first: cached, outdated permissions must not use up the attempts of the
    // tenant.
    if (!caller.confirmed) await caller.revalidate();
    const wait = await this.limiter.attempt(`slug ${caller.tenantId}`, SLUG_ATTEMPTS);
    if (wait > 0) throw rateLimited(wait);
    const slug = (body as { readonly slug?: unknown } | null)?.slug;
    return this.uow.write(caller, async (tx) => {
      await tx.startAccessChange();
      const current = await this.slugs.current(tx);
      if (slug === current.slug) return { slug };
      if (!isAllowedSlug(slug)) throw new Problem('tenant.slug-unavailable');
      await this.slugs.change(tx, current, slug);
      tx.record({
        action: 'TenantSlugChanged',
        subjectId: tx.tenantId,
        summary: `${current.slug} → ${slug}`,
      });
      return { slug };
    });
  }
}
