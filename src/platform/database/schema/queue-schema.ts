/** Schema of graphile-worker's tables. Jobs contain ids of tenants and documents, no other data of tenants. */
export const QUEUE_SCHEMA = 'graphile_worker';
