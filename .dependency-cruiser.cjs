/**
 * The layers of docs/architecture.md: an import goes only downward.
 * L0 plugin-sdk and primitives < L1 core < L2 the other packages < L3 plugins (which see L0 only) < L4 apps.
 * `untrusted` is ground beside core: it sees plugin-sdk only, and L2 and L4 see it; `locks` sees nothing of ours, `processes` plugin-sdk only.
 * `conversation` is ground beside core, too: it sees plugin-sdk and primitives only.
 * `client` is ground on those: it sees core, untrusted and plugin-sdk, and L2 and L4 see it.
 */
const floors = require('./scripts/structure/floors.json');

const TEST = '[.]test[.]ts$|/test/';
const ANY = '^(apps|packages|scripts)/';
const MCP_SDK = 'node_modules/@modelcontextprotocol/sdk/';

/**
 * Rooms of a package, the files and folders of its source, each on a floor of scripts/structure/floors.json, the
 * ground first: a room imports from floors below its own, and from itself.
 */
function floorRules([folder, order]) {
  const room = (names) => `^${folder}/(${names.join('|')})(?:/|[.]ts$)`;
  const name = folder.replace(/^(packages|apps)[/]|[/]src$/g, '');
  const comment =
    'Move what both need to a floor below both, or have it handed in where the package is put together.';
  return [
    ...order.map((rooms, floor) => ({
      name: `${name}-floor-${floor + 1}`,
      comment,
      severity: 'error',
      from: { path: room(rooms), pathNot: TEST },
      to: {
        path: `^${folder}/`,
        pathNot: [`^${folder}/$1(?:/|[.]ts$)`, room(['', ...order.slice(0, floor).flat()])],
      },
    })),
    {
      name: `${name}-room-without-floor`,
      comment: 'Give the room a floor in scripts/structure/floors.json.',
      severity: 'error',
      from: {},
      to: { path: `^${folder}/`, pathNot: [room(order.flat()), TEST] },
    },
  ];
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'plugin-sdk-imports-no-package',
      comment: 'plugin-sdk is L0. Move what it needs into it, or the importing code up.',
      severity: 'error',
      from: { path: '^packages/plugin-sdk/' },
      to: { path: ANY, pathNot: '^packages/plugin-sdk/' },
    },
    {
      name: 'core-imports-plugin-sdk-only',
      comment: 'core is L1. Take what it needs as a parameter, so that a higher layer hands it in.',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: { path: ANY, pathNot: '^packages/(core|plugin-sdk|primitives)/' },
    },
    {
      name: 'ground-imports-plugin-sdk-only',
      comment: 'untrusted is ground beside core. Take what it needs as a parameter.',
      severity: 'error',
      from: { path: '^packages/untrusted/' },
      to: { path: ANY, pathNot: '^packages/(untrusted|plugin-sdk|primitives)/' },
    },
    {
      name: 'conversation-imports-the-ground-only',
      comment: 'conversation is a loop over what its caller hands in: the model, the tools, the ledger.',
      severity: 'error',
      from: { path: '^packages/conversation/' },
      to: { path: ANY, pathNot: '^packages/(conversation|plugin-sdk|primitives)/' },
    },
    {
      name: 'primitives-import-no-package',
      comment: 'primitives are under all: what they need comes as a parameter.',
      severity: 'error',
      from: { path: '^packages/primitives/' },
      to: { path: ANY, pathNot: '^packages/primitives/' },
    },
    {
      name: 'locks-import-no-package',
      comment: 'locks are ground for all: a file and the kernel.',
      severity: 'error',
      from: { path: '^packages/locks/' },
      to: { path: ANY, pathNot: '^packages/locks/' },
    },
    {
      name: 'processes-import-plugin-sdk-only',
      comment: 'processes are ground for all that starts a program.',
      severity: 'error',
      from: { path: '^packages/processes/' },
      to: { path: ANY, pathNot: '^packages/(processes|plugin-sdk)/' },
    },
    {
      name: 'git-imports-the-ground-only',
      comment: 'git is under all that looks into a repository.',
      severity: 'error',
      from: { path: '^packages/git/' },
      to: { path: ANY, pathNot: '^packages/(git|processes|plugin-sdk|primitives)/' },
    },
    {
      name: 'client-imports-the-ground-only',
      comment: 'client is one connection, and knows of nothing that is made of several. Pass an interface.',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: TEST },
      to: { path: ANY, pathNot: '^packages/(client|core|untrusted|locks|processes|plugin-sdk|primitives)/' },
    },
    {
      name: 'core-does-no-io',
      comment: 'core is pure. Do the I/O in an L2 package and hand the result in.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: TEST },
      to: {
        dependencyTypes: ['core'],
        path: '^(node:)?(fs|net|tls|http|https|http2|dns|dgram|child_process|cluster|worker_threads|readline|repl)(/|$)',
      },
    },
    {
      name: 'services-import-only-downward',
      comment:
        'A package of L2 sees core, conversation, client, untrusted, locks, processes and plugin-sdk. The app joins L2 packages; pass an interface.',
      severity: 'error',
      from: {
        path: '^packages/(?!(?:plugins|plugin-sdk|primitives|conversation|core|client|untrusted|locks|processes|testing)/)([^/]+)/',
        pathNot: TEST,
      },
      to: {
        path: ANY,
        pathNot: '^packages/($1|conversation|core|client|untrusted|locks|processes|plugin-sdk|primitives)/',
      },
    },
    {
      name: 'plugins-import-plugin-sdk-only',
      comment:
        'A plugin has the standing of one from npm: it sees plugin-sdk, primitives, git and locks as it would libraries, and testing in its tests.',
      severity: 'error',
      from: { path: '^packages/plugins/([^/]+)/', pathNot: TEST },
      to: { path: ANY, pathNot: '^packages/(plugin-sdk|primitives|git|locks|plugins/$1)/' },
    },
    {
      name: 'plugin-tests-import-testing-only',
      comment: 'A plugin’s tests see plugin-sdk, testing and the plugin itself; never another plugin.',
      severity: 'error',
      from: { path: '^packages/plugins/([^/]+)/(?:.*[.]test[.]ts$|test/)' },
      to: { path: ANY, pathNot: '^packages/(plugin-sdk|primitives|git|locks|testing|plugins/$1)/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'testing brings vitest along. Move what a shipped file needs out of it.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${TEST}|^packages/testing/` },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'nothing-below-imports-an-app',
      comment: 'apps are L4. Move what is shared down into a package.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|scripts)/' },
    },
    {
      name: 'apps-do-not-import-scripts',
      comment: 'scripts are not shipped. Move what the app needs into a package.',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'mcp-sdk-behind-two-adapters',
      comment: 'Only server and client speak the protocol through the SDK. Use core’s own types.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${TEST}|^packages/(server|client|testing)/` },
      to: { path: MCP_SDK },
    },
    {
      name: 'server-uses-no-sdk-client',
      comment: 'The SDK’s client side belongs in client.',
      severity: 'error',
      from: { path: '^packages/server/', pathNot: TEST },
      to: { path: `${MCP_SDK}.*/client/` },
    },
    {
      name: 'server-loads-no-sdk-engine',
      comment: 'Sessions speak through core’s peer. The SDK gives types, and what is loaded when first used.',
      severity: 'error',
      from: { path: '^packages/server/', pathNot: TEST },
      to: {
        path: `${MCP_SDK}.*/(server/|shared/protocol|types[.])`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'client-uses-no-sdk-server',
      comment: 'The SDK’s server side belongs in server.',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: TEST },
      to: { path: `${MCP_SDK}.*/server/` },
    },
    {
      name: 'packages-meet-by-name',
      comment: 'Import another package by its name, so that its exports decide what is public.',
      severity: 'error',
      from: { path: '^(apps/[^/]+|packages/plugins/[^/]+|packages/(?!plugins/)[^/]+)/' },
      to: { path: ANY, pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-test-in-source',
      comment: 'Move what both need into a file of its own.',
      severity: 'error',
      from: { pathNot: TEST },
      to: { path: '[.]test[.]ts$' },
    },
    ...Object.entries(floors).flatMap(floorRules),
    {
      name: 'no-cycle',
      comment: 'Move what both files need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'Mend the path, or add the package to package.json and install.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    exclude: { path: '/fixtures/|/dist/|[.]d[.]ts$' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json', '.mjs', '.cjs', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
