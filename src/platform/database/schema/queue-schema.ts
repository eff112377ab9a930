/** Where graphile-worker keeps its tables. Jobs name tenants and documents by id, and say nothing else of them. */
export const QUEUE_SCHEMA = 'graphile_worker';
