/**
 * The ranks of docs/ARCHITECTURE.md, downward only:
 * common, vocabulary, config < database, telemetry < identity, content, extraction, mail < recording, jobs < tenancy < http < resources
 * < demo, cli and the files that put the service together (src/*.ts).
 * Resources may reach into one another only through an exported reader.
 */
const ranks = [
  ['common', 'vocabulary', 'config'],
  ['database', 'telemetry'],
  ['identity', 'content', 'extraction', 'mail'],
  ['recording', 'jobs'],
  ['tenancy'],
  ['http'],
];
const ranked = ranks.flat();
const top = ['cli', 'demo'];
/** A folder of src that is in no list is a resource. */
const resource = `^src/(?!(?:${[...ranked, ...top].join('|')})/)([^/]+)/`;

const rankRules = ranks.map((rooms, rank) => {
  const above = ranks.slice(rank + 1).flat();
  const higher = [...above.map((room) => `${room}/`), `(?!(?:${ranked.join('|')})/)`];
  return {
    name: `rank-${rank}-${rooms[0]}`,
    comment: `${rooms.join(', ')} may only import rooms of their own rank or below`,
    severity: 'error',
    from: { path: `^src/(${rooms.join('|')})/` },
    to: { path: `^src/(?:${higher.join('|')})` },
  };
});

module.exports = {
  forbidden: [
    ...rankRules,
    {
      name: 'no-circular',
      comment: 'No import circles, types included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resources-meet-through-readers',
      comment: 'A resource may use another only through its exported reader (and the module that wires it)',
      severity: 'error',
      from: { path: resource },
      to: { path: resource, pathNot: ['^src/$1/', '\\.reader\\.ts$', '\\.module\\.ts$'] },
    },
    {
      name: 'nobody-imports-the-top',
      comment: 'Command line, demo and the files that put the service together are not for reuse',
      severity: 'error',
      from: { path: `^src/(?!(?:${top.join('|')})/)[^/]+/` },
      to: { path: `^src/(?:(?:${top.join('|')})/|[^/]+$)` },
    },
    {
      name: 'common-knows-no-framework',
      comment: 'common and vocabulary are plain TypeScript',
      severity: 'error',
      from: { path: '^src/(common|vocabulary)/' },
      to: { path: 'node_modules', pathNot: 'node_modules/uuid/' },
    },
    {
      name: 'no-development-packages',
      comment: 'What runs in production must be among the dependencies; types are erased',
      severity: 'error',
      from: { path: '^(src|clients)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'clients-stand-alone',
      comment: 'A client of the API is a package of its own',
      severity: 'error',
      from: { path: '^clients/([^/]+)/' },
      to: { pathNot: ['^clients/$1/', 'node_modules/'] },
    },
    {
      name: 'no-tests-in-the-sources',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere would slip past the other rules',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
