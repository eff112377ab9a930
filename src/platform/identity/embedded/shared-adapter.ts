import type { Adapter, AdapterFactory } from 'oidc-provider';
import { type ProcessChannel } from '../../instances/process-channel.js';
import { MemoryAdapter } from './memory-adapter.js';

const CALL = 'issuer-entries';
const TIMEOUT_MS = 5000;

interface AdapterCall {
  /** Kind of entry: `Session`, `AuthorizationCode` … */
  readonly kind: string;
  readonly method: keyof Adapter;
  readonly values: readonly unknown[];
}

/** Pending logins and unused codes of the embedded issuer, for all processes. Runs in the primary process. */
export class SharedIssuerEntries {
  private readonly adapters = new Map<string, MemoryAdapter>();

  serve(channel: ProcessChannel): void {
    channel.handle(CALL, ({ kind, method, values }: AdapterCall) => {
      let adapter = this.adapters.get(kind);
      if (!adapter) this.adapters.set(kind, (adapter = new MemoryAdapter()));
      return (adapter[method] as (...values: unknown[]) => Promise<unknown>).apply(adapter, [...values]);
    });
  }
}

/** Stores the entries in the primary process, because the requests of one login can reach several processes. */
export function sharedAdapter(primary: ProcessChannel): AdapterFactory {
  return (kind) => {
    const call =
      <M extends keyof Adapter>(method: M) =>
      (...values: Parameters<Adapter[M]>) =>
        primary.call<never>(CALL, { kind, method, values } satisfies AdapterCall, TIMEOUT_MS);
    return {
      upsert: call('upsert'),
      find: call('find'),
      findByUid: call('findByUid'),
      findByUserCode: call('findByUserCode'),
      consume: call('consume'),
      destroy: call('destroy'),
      revokeByGrantId: call('revokeByGrantId'),
    };
  };
}
