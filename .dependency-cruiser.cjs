/**
 * The folders of src from the lowest layer to the highest. A folder may import the folders of its own line and of
 * the lines above it.
 */
const LAYERS = [
  ['common'],
  ['platform/config'],
  ['platform/logging', 'platform/telemetry', 'platform/instances'],
  ['platform/database'],
  ['platform/identity'],
  ['platform/content'],
  ['platform/extraction'],
  ['platform/mail'],
  ['platform/jobs'],
  ['platform/recording'],
  ['platform/tenancy'],
  ['platform/events'],
  ['platform/http'],
  ['platform/documentation'],
  ['platform/health'],
  ['resources'],
  ['tools'],
];

const inFolders = (folders) => `^src/(?:${folders.join('|')})/`;
/** Folders below the files of resources/documents itself; its other folders are above them. */
const DOCUMENT_PARTS = 'changes|contents|values|words';
const resource = '^src/resources/([^/]+)/';

const layerRules = LAYERS.map((folders, index) => ({
  name: folders[0],
  severity: 'error',
  from: { path: inFolders(folders) },
  to: { path: '^src/', pathNot: inFolders(LAYERS.slice(0, index + 1).flat()) },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'every-folder-has-a-layer',
      severity: 'error',
      from: {},
      // The processes are above all layers, like the files of src itself.
      to: { path: '^src/.+/', pathNot: inFolders([...LAYERS.flat(), 'start']) },
    },
    {
      name: 'no-circular',
      comment: 'Types included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resources-through-readers',
      comment: 'A resource may import only readers and modules of another one',
      severity: 'error',
      from: { path: resource },
      to: { path: resource, pathNot: ['^src/resources/$1/', '\\.reader\\.ts$', '\\.module\\.ts$'] },
    },
    {
      name: 'document-parts',
      comment: 'The parts of a document are below documents and do not import each other',
      severity: 'error',
      from: { path: `^src/resources/documents/(${DOCUMENT_PARTS})/` },
      to: {
        path: '^src/resources/documents/',
        pathNot: ['^src/resources/documents/$1/', 'documents/document\\.entity\\.ts$'],
      },
    },
    {
      name: 'document-subjects',
      comment:
        'The other subjects are above documents and do not import each other; a module may gather several',
      severity: 'error',
      from: { path: '^src/resources/documents/([^/]+)', pathNot: '\\.module\\.ts$' },
      to: {
        path: '^src/resources/documents/[^/]+/',
        pathNot: ['^src/resources/documents/$1/', `^src/resources/documents/(?:${DOCUMENT_PARTS})/`],
      },
    },
    {
      name: 'common-without-framework',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: 'node_modules', pathNot: 'node_modules/uuid/' },
    },
    {
      name: 'no-development-packages',
      comment: 'Production code may import only dependencies; types are erased',
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
      comment: 'A client is a separate package',
      severity: 'error',
      from: { path: '^clients/([^/]+)/' },
      to: { pathNot: ['^clients/$1/', 'node_modules/'] },
    },
    {
      name: 'examples-use-a-client',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: { path: '^(?:src|test|bench|scripts|examples)/', pathNot: '^examples/$1/' },
    },
    {
      name: 'no-tests-in-the-sources',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'everything-resolves',
      comment: 'The other rules do not see an import that cannot be resolved',
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
