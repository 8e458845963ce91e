import { readFileSync } from 'node:fs';
import { maskText } from '@nexus/untrusted/secrets';
import { ConfigError } from './config-fault.ts';
import { isRawConfig, type RawConfig } from './raw-config.ts';

/**
 * Reads a config file; JSON is YAML too, so one parser reads both.
 * @throws {ConfigError} when the file can't be read or does not parse, with line and column
 */
export async function readConfigFile(file: string): Promise<RawConfig> {
  // Loaded only where there is a file to read: most starts have none.
  const { parse, YAMLParseError } = await import('./yaml.ts');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: `can't be read: ${(error as Error).message}` }]);
  }
  let raw: unknown;
  try {
    raw = parse(text.replace(/^\uFEFF/, ''), { uniqueKeys: true }) ?? {};
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new ConfigError(file, [{ path: '', message: maskText(error.message.trim()) }]);
  }
  if (!isRawConfig(raw)) throw new ConfigError(file, [{ path: '', message: 'must hold an object' }]);
  return raw;
}
