import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

const MAX_ENTRIES = 1_000;

/**
 * Where oidc-provider keeps sign-ins under way and codes not yet redeemed: in memory, one instance of this
 * class for each kind. A restart forgets them, and the person signs in again; access tokens are JWTs and are
 * not kept at all. (Its own adapter does the same, but tells the console so at every start.)
 */
export class MemoryAdapter implements Adapter {
  private readonly entries = new LRUCache<string, AdapterPayload>({ max: MAX_ENTRIES });

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    this.entries.set(id, payload, { ttl: expiresIn * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.entries.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.search((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.search((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = this.entries.get(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of [...this.entries.entries()]) {
      if (payload.grantId === grantId) this.entries.delete(id);
    }
  }

  private search(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    return [...this.entries.values()].find(matches);
  }
}
