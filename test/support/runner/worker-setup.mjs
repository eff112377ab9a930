import './time-limits.mjs';

// A worker ends with jest, although the application that its specs share is still listening.
process.once('disconnect', () => process.exit());
