export { createFetching, type FetchingParts } from '@nexus/fetching';
export { findPostgres, type PostgresServer, startPostgres } from '@nexus/store/postgres-server';
export { type CollectedLine, collectLog } from './collect-log.ts';
export { type CliCall, type CliName, type CliPlan, type FakeClis, fakeClis } from './fake-clis.ts';
export { type FakeServerSwitches, fakeServer } from './fake-server.ts';
export { type FakeServers, type FakeToolboxOptions, fakeToolboxes } from './fake-toolboxes.ts';
export { type LeftRun, leaveRun } from './leave-run.ts';
export { type GitHubRequest, type LoopbackGitHub, loopbackGitHub } from './loopback-github.ts';
export {
  type LoopbackSources,
  type LoopbackSourcesOptions,
  loopbackSources,
  patientClock,
  type SeenRequest,
} from './loopback-sources.ts';
export {
  type EndpointOptions,
  type EndpointScript,
  type ModelEndpoint,
  type ModelRequestSeen,
  modelEndpoint,
} from './model-endpoints/model-endpoint.ts';
export type { Reply } from './model-endpoints/reply.ts';
export { type OAuthServer, type OAuthServerSwitches, oauthServer } from './oauth-server.ts';
export { outsideFences } from './outside-fences.ts';
export { type RawClient, rawClient } from './raw-client.ts';
export { replayServer } from './replay-server.ts';
export { scopeOf } from './scope-of.ts';
export { type ScriptedAnswer, type ScriptedModels, scriptedModels } from './scripted-models.ts';
export {
  type LogLine,
  type PluginTestOptions,
  type PluginUnderTest,
  programs,
  startPlugin,
} from './start-plugin.ts';
export { testDataFolder } from './test-data.ts';
export { type PluginSuite, testPlugin } from './test-plugin.ts';
export { type TransportPair, testTransport } from './test-transport.ts';
