export {
  type LogLine,
  type PluginTestOptions,
  type PluginUnderTest,
  startPlugin,
} from './start-plugin.ts';
export { type PluginSuite, testPlugin } from './test-plugin.ts';
