/**
 * Keys of all advisory locks of the service. PostgreSQL has one key space per database, so every key is listed here.
 * Never reuse a key for another purpose: instances of two releases may run at the same time.
 */
export const ADVISORY_LOCKS = {
  setup: 7_203_114_001,
  contentSweep: 7_203_114_002,
  expirySweep: 7_203_114_003,
  deadWorkers: 7_203_114_004,
  stuckDocuments: 7_203_114_005,
  binPurge: 7_203_114_006,
  referenceTables: 7_203_114_007,
  lexicons: 7_203_114_010,
  auditTrees: 7_203_114_013,
  auditCheckpoints: 7_203_114_014,
  exportSweep: 7_203_114_012,
  disposals: 7_203_114_016,
  textFolding: 7_203_114_017,
  valueIndexing: 7_203_114_018,
} as const;

/** Seed for the keys of worker leases, which are hashes of the workers' ids. */
export const WORKER_LEASE_SEED = 7_203_114;

/** Seed for the keys of the locks of held-lock.ts, which are hashes of their names. */
export const HELD_LOCK_SEED = 7_203_115;
