/**
 * The keys of all advisory locks that the service takes, which PostgreSQL shares among everything on a database. A key
 * is never used for anything else again.
 */
export const ADVISORY_LOCKS = {
  setup: 7_203_114_001,
  contentSweep: 7_203_114_002,
  expirySweep: 7_203_114_003,
  deadWorkers: 7_203_114_004,
  lostDocuments: 7_203_114_005,
  binPurge: 7_203_114_006,
} as const;

/** Of the leases of workers, whose keys are hashed from their ids. */
export const WORKER_LEASE_SEED = 7_203_114;
