import { Injectable, type OnModuleInit } from '@nestjs/common';
import { readToken, signToken } from '../../../common/signed-token.js';
import { ServiceSecretsReader } from '../../../platform/tenancy/tenants/service-secrets.reader.js';

export interface ContentLink {
  readonly userId: string;
  readonly expiresAt: Date;
  /** Path and query below the tenant. */
  readonly target: string;
}

/**
 * Signs and verifies the tokens of content links: user, expiry and target. The signature also covers the tenant's slug
 * in the path of the link. Nothing is stored for a token.
 */
@Injectable()
export class ContentLinkTokens implements OnModuleInit {
  private key: Buffer = Buffer.alloc(0);

  constructor(private readonly secrets: ServiceSecretsReader) {}

  async onModuleInit(): Promise<void> {
    // The purpose separates content links from links to unsubscribe.
    this.key = await this.secrets.get('unsubscribe');
  }

  write(slug: string, { userId, expiresAt, target }: ContentLink): string {
    return signToken(this.key, purposeOf(slug), Buffer.from(`${userId} ${expiresAt.getTime()} ${target}`));
  }

  /** Null for a token that is forged, expired, or of another tenant. */
  read(slug: string, token: string): ContentLink | null {
    const payload = readToken(this.key, purposeOf(slug), token);
    if (!payload) return null;
    const [userId = '', expiry, target = ''] = payload.toString().split(' ');
    const expiresAt = new Date(Number(expiry));
    return expiresAt.getTime() > Date.now() ? { userId, expiresAt, target } : null;
  }
}

/** A slug has no blank, so the end of the purpose is certain. */
function purposeOf(slug: string): string {
  return `content-link 1 ${slug} `;
}
