/**
 * The ranks of docs/ARCHITECTURE.md, downward only:
 * common, vocabulary, config < database < identity, content < recording < tenancy < http < resources < cli, main.
 * Resources may reach into one another only through an exported reader.
 */
const ranks = [
  ['common', 'vocabulary', 'config'],
  ['database'],
  ['identity', 'content'],
  ['recording'],
  ['tenancy'],
  ['http'],
];
const ranked = ranks.flat();
const rules = [];
ranks.forEach((rooms, rank) => {
  const above = ranks.slice(rank + 1).flat();
  rules.push({
    name: `rank-${rank}-${rooms[0]}`,
    comment: `${rooms.join(', ')} may only import rooms of its own rank or below`,
    severity: 'error',
    from: { path: `^src/(${rooms.join('|')})/` },
    to: { path: above.length ? `^src/((${above.join('|')})/|(?!(${ranked.join('|')})/))` : `^src/(?!(${ranked.join('|')})/)` },
  });
});

module.exports = {
  forbidden: [
    ...rules,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resources-meet-through-readers',
      comment: 'A resource may use another only through its exported reader (and the module that wires it)',
      severity: 'error',
      from: { path: `^src/(?!(?:${ranked.join('|')}|cli)/)([^/]+)/` },
      to: {
        path: `^src/(?!(?:${ranked.join('|')}|cli)/)([^/]+)/`,
        pathNot: ['^src/$1/', '\\.reader\\.ts$', '\\.module\\.ts$'],
      },
    },
    { name: 'no-orphan-import-of-cli', severity: 'error', from: { path: '^src/(?!cli/|main)' }, to: { path: '^src/cli/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
