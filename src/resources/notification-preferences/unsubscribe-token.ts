import { Injectable, type OnModuleInit } from '@nestjs/common';
import { readToken, signToken } from '../../common/signed-token.js';
import { ServiceSecretsReader } from '../../platform/tenancy/tenants/service-secrets.reader.js';

export interface Subscription {
  readonly tenantId: string;
  readonly userId: string;
  /** Time of the mail with the token, ISO 8601. */
  readonly issuedAt: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as notifications are kept by default. */
const LIFETIME_MS = 365 * DAY_MS;

const ID_BYTES = 16;
const TIME_BYTES = 6;
const PAYLOAD_BYTES = 2 * ID_BYTES + TIME_BYTES;
const PURPOSE = 'unsubscribe 1';

/**
 * Signs and verifies the tokens in the links that turn mail off: tenant, user and time, signed with a key that all
 * instances share. Nothing is stored for a token. A token is valid for a year, and no longer than the membership.
 */
@Injectable()
export class UnsubscribeTokens implements OnModuleInit {
  private key: Buffer = Buffer.alloc(0);

  constructor(private readonly secrets: ServiceSecretsReader) {}

  async onModuleInit(): Promise<void> {
    this.key = await this.secrets.get('unsubscribe');
  }

  write({ tenantId, userId, issuedAt }: Subscription): string {
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.write(tenantId.replaceAll('-', ''), 0, 'hex');
    payload.write(userId.replaceAll('-', ''), ID_BYTES, 'hex');
    payload.writeUIntBE(Date.parse(issuedAt), 2 * ID_BYTES, TIME_BYTES);
    return signToken(this.key, PURPOSE, payload);
  }

  /** Null for a token that is forged or expired. */
  read(token: string, now = Date.now()): Subscription | null {
    const payload = readToken(this.key, PURPOSE, token);
    if (payload?.length !== PAYLOAD_BYTES) return null;
    const issuedAt = payload.readUIntBE(2 * ID_BYTES, TIME_BYTES);
    if (issuedAt + LIFETIME_MS < now) return null;
    return {
      tenantId: uuidOf(payload.subarray(0, ID_BYTES)),
      userId: uuidOf(payload.subarray(ID_BYTES, 2 * ID_BYTES)),
      issuedAt: new Date(issuedAt).toISOString(),
    };
  }
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
