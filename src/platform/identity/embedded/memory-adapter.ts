import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

const MAX_ENTRIES = 1_000;

/**
 * Stores the pending logins and unused codes of oidc-provider in memory, with one instance of this class for each
 * kind of entry. A restart deletes them, and users log in again. Access tokens are JWTs and are not stored.
 * (The library's own memory adapter does the same, but prints a warning at every start.)
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
    return [...this.entries.values()].find((payload) => payload.uid === uid);
  }

  /** Only for the device flow, which is not enabled. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
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
}
