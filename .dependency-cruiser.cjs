const test =
  '[.]test[.]tsx?$|[.]e2e[.]ts$|(?:-under-test|[.]fixture)[.]ts$|^(?:gateway|web|(?:libs|services)/[^/]+)/(?:test|bench)/'
const testCode = `${test}|^tests/|^libs/testing/|^load-tests/|^vitest[.]config[.]ts$`
const ours = '^(deploy|gateway|libs|load-tests|services|tests|web)/'

const processOfService = '^libs/service/src/process/(?:start-service-process|run-dead-letter-process)[.]ts$'

/** In the order in which a request passes them. */
const stages = ['http', 'stream', 'auth', 'account-cache', 'limiter', 'proxy', 'usage']
const anyStage = `^gateway/src/(${stages.join('|')})/`
const gatewayRooms = [
  ...stages.slice(1).map((stage, n) => ({
    from: { path: `^gateway/src/${stage}/`, pathNot: test },
    to: { path: `^gateway/src/(${stages.slice(0, n + 1).join('|')})/` },
  })),
  { from: { path: '^gateway/src/(operations|openapi)/', pathNot: test }, to: { path: anyStage } },
  {
    from: { path: '^gateway/src/(routing|problems)/', pathNot: test },
    to: { path: `${anyStage}|^gateway/src/(operations|openapi)/` },
  },
  { from: { path: '^gateway/src/[^/]+/', pathNot: test }, to: { path: '^gateway/src/(main|start)[.]ts$' } },
].map((arrow) => ({
  name: 'gateway-stages-one-way',
  severity: 'error',
  comment:
    'http → stream → auth → account-cache → limiter → proxy → usage; a stage declares what it needs of an earlier one.',
  ...arrow,
}))

/** What needs more than an import's address is in tests/checks/: sql-lives-in-queries, no-cycles, the rest of import-the-file. */
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'services-do-not-know-each-other',
      severity: 'error',
      comment: 'Services talk through HTTP and events. Shared words belong in libs/contracts.',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(services|gateway|web)/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-do-not-know-each-other',
      severity: 'error',
      comment:
        'Launcher, tests and load tests start the parts as processes and speak HTTP, so they prove what users get.',
      // The replay repeats the limiter's decisions: its test decides by both.
      from: { path: '^(deploy|tests|load-tests)/', pathNot: '^tests/replay/' },
      to: { path: '^(services|gateway|web)/' },
    },
    {
      name: 'gateway-knows-no-service',
      severity: 'error',
      comment: 'The gateway is the only entry point: it owns no tables and reaches services only by their address.',
      from: { path: '^gateway/', pathNot: `${test}|^gateway/src/mcp/` },
      to: { path: ours, pathNot: '^gateway/|^libs/(contracts|service|events)/' },
    },
    {
      name: 'gateway-knows-no-service',
      severity: 'error',
      comment: 'MCP over HTTP is the MCP server that users also run themselves.',
      from: { path: '^gateway/src/mcp/', pathNot: test },
      to: { path: ours, pathNot: '^gateway/|^libs/(contracts|service|mcp)/' },
    },
    {
      name: 'gateway-knows-no-service',
      severity: 'error',
      comment: 'A test of the gateway puts a small upstream behind it, never the code of a service.',
      from: { path: '^gateway/.*[.]test[.]ts$' },
      to: { path: '^(services|web)/' },
    },
    ...gatewayRooms,
    {
      name: 'web-knows-only-contracts',
      severity: 'error',
      comment: 'What the browser loads takes its words from libs/contracts and everything else from HTTP.',
      from: { path: '^web/', pathNot: `${test}|^web/e2e/|^web/docs/samples/` },
      to: { path: ours, pathNot: '^web/|^libs/contracts/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'service and database stand on contracts only, so each keeps its one reason to change.',
      from: { path: '^libs/(service|database)/', pathNot: `${test}|${processOfService}` },
      to: { path: ours, pathNot: '^libs/($1|contracts)/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'objects stores bytes under keys and knows nothing of what they mean.',
      from: { path: '^libs/objects/', pathNot: test },
      to: { path: ours, pathNot: '^libs/objects/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment:
        'The bootstrap of a service process connects what service, database and events offer; only main.ts runs it.',
      from: { path: processOfService },
      to: { path: ours, pathNot: '^libs/(service|contracts|database|events)/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'The rest of service stays free of database and event code, which gateway and launcher do not need.',
      from: { path: '^(libs/service|gateway|deploy)/', pathNot: test },
      to: { path: processOfService },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment:
        'events keeps outbox and offsets in the transaction of the change, so it knows those two tables and how they are announced.',
      from: { path: '^libs/events/', pathNot: test },
      to: {
        path: ours,
        pathNot: '^libs/(events|contracts)/|^libs/database/src/(outbox-table|consumer-tables|work-signals)[.]ts$',
      },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'Users install the client alone, and the command line and the MCP server with the client only.',
      from: { path: '^libs/(sdk|cli|mcp)/', pathNot: test },
      to: { path: ours, pathNot: '^libs/($1|sdk)/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'Libs and their tests know nothing of what is built on them.',
      from: { path: '^libs/' },
      to: { path: '^(services|gateway|web|tests|load-tests)/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'The launcher needs the words and the process habits, no database or event code.',
      from: { path: '^deploy/', pathNot: `${test}|^deploy/local/backup/` },
      to: { path: '^libs/', pathNot: '^libs/(contracts|service)/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'Backups of the local PostgreSQL are objects in a folder or a bucket.',
      from: { path: '^deploy/local/backup/', pathNot: test },
      to: { path: '^libs/', pathNot: '^libs/objects/' },
    },
    {
      name: 'libs-import-only-downhill',
      severity: 'error',
      comment: 'The whole is tested from outside, with the words of contracts and the tools of testing.',
      from: { path: '^(tests|load-tests)/' },
      to: { path: '^libs/', pathNot: '^libs/(contracts|testing)/' },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      comment: 'Every part imports contracts, the browser too; so they import nothing of ours and nothing of Node.',
      from: { path: '^libs/contracts/', pathNot: test },
      to: { path: ours, pathNot: '^libs/contracts/' },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      comment: 'Every part imports contracts, the browser too; so they import nothing of ours and nothing of Node.',
      from: { path: '^libs/contracts/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'test-code-stays-in-tests',
      severity: 'error',
      comment: 'What runs for users must not be able to reach fixtures, test servers or the test runner.',
      from: { pathNot: `${testCode}|^web/e2e/` },
      to: { path: `${testCode}|^web/e2e/|node_modules/(vitest|testcontainers|fast-check|playwright-core)/` },
    },
    {
      name: 'import-the-file',
      severity: 'error',
      comment: 'An index hides where a thing lives and loads all of its neighbours. Name the file.',
      from: {},
      to: { path: '/index[.][cm]?[jt]sx?$', pathNot: 'node_modules' },
    },
    {
      name: 'import-the-file',
      severity: 'error',
      comment: 'An import that leads nowhere; k6 brings its own modules.',
      from: { pathNot: '^load-tests/(journeys|lib)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^((web|libs/[^/]+)/dist|coverage|[.]tapeline)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['tapeline-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
    },
  },
}
