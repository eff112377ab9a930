import './time-limits.mjs';

// End the worker with jest, although the shared application still listens.
process.once('disconnect', () => process.exit());
